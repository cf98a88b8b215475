//! The network inside the program.

use std::sync::{Arc, OnceLock};

use crate::network::Network;

/// The file `networks/default.nnue`, replaced by each network that becomes the default. Empty until there is one.
static FILE: &[u8] = include_bytes!("../networks/default.nnue");

/// The embedded network, read when first asked for.
pub(crate) fn network() -> Option<&'static Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    let read = || {
        let mut file = FILE;
        (!file.is_empty()).then(|| Arc::new(Network::read(&mut file).expect("a test reads the embedded network")))
    };
    NETWORK.get_or_init(read).as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_a_network_that_says_where_it_comes_from() {
        assert!(FILE.is_empty() || network().is_some_and(|network| !network.description().is_empty()));
        assert!(FILE.len() <= 6 << 20, "the repository is to stay small");
    }
}
