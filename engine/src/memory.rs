//! Memory for large tables.
//!
//! A search reads its hash table and histories at random places. With pages of 4 KiB nearly every such read also misses
//! the processor's cache of page addresses, so the system is asked for large pages (2 MiB) where it has them.

/// Asks the system to back the capacity of `vec` with huge pages. Best called before the memory is first written.
///
/// A request only: where the system has no such pages, or knows no such call (anywhere but Linux), nothing changes.
pub(crate) fn prefer_huge_pages<T>(vec: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        // Whole pages inside the allocation: others may hold part of something else.
        let page = rustix::param::page_size();
        let start = vec.as_mut_ptr() as usize;
        let end = start + vec.capacity() * size_of::<T>();
        let (first, last) = (start.next_multiple_of(page), end - end % page);
        if first < last {
            let pages = vec.as_mut_ptr().wrapping_byte_add(first - start);
            // SAFETY: the pages lie within one live allocation, and this advice changes no content.
            let _ = unsafe { madvise(pages.cast(), last - first, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = vec;
}

/// A zeroed slice for a large table.
pub(crate) fn zeroed<T: Clone + Default>(count: usize) -> Box<[T]> {
    let mut table = Vec::with_capacity(count);
    prefer_huge_pages(&mut table);
    table.resize(count, T::default());
    table.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_changes_no_content() {
        for len in [0, 1, 100, 5_000, 3 << 20] {
            let mut values: Vec<u16> = (0..len).map(|index| index as u16).collect();
            prefer_huge_pages(&mut values);
            assert!((0..len).all(|index| values[index] == index as u16));
        }
        assert!(zeroed::<u64>(1 << 19).iter().all(|&value| value == 0));
    }
}
