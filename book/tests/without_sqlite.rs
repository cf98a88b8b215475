//! What a build without SQLite says to an OBK.
#![cfg(not(feature = "obk"))]

use chuhe_book::{Book, BookError, Format};

#[test]
fn an_obk_is_recognised_and_refused_with_the_reason() {
    let bytes = *b"SQLite format 3\0 and so on";
    assert_eq!(Format::detect(&bytes), Some(Format::Obk));
    let error = Book::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, BookError::ObkUnsupported);
    assert!(error.to_string().contains("without SQLite"));
}
