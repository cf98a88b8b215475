//! Text that others wrote, on pages.

use chuhe_text::printable;
use maud::{Markup, html};

/// A name, reason or comment that others wrote: it shows itself, becomes no markup, and, written from right to left, does
/// not change the order of what stands beside it.
pub(crate) fn foreign(text: &str) -> Markup {
    html! { bdi { (printable(text)) } }
}
