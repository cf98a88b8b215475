//! Choices on the command line that stand for values of the libraries.

/// An enumeration for clap, whose documentation is the help, and what each choice stands for.
macro_rules! choice {
    ($(#[$attribute:meta])* $name:ident => $target:ty { $($(#[$help:meta])* $choice:ident => $value:expr,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
        pub(crate) enum $name {
            $($(#[$help])* $choice,)*
        }

        impl From<$name> for $target {
            fn from(choice: $name) -> $target {
                match choice {
                    $($name::$choice => $value,)*
                }
            }
        }
    };
}

pub(crate) use choice;
