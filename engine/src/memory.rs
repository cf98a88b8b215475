//! Memory for large tables: how much there is, and large pages.
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

/// Bytes of memory that the system has for programs, if it says so.
///
/// Linux promises more memory than it has and ends the program that uses it, so that a successful allocation alone
/// says little.
#[cfg(target_os = "linux")]
pub(crate) fn available() -> Option<u64> {
    available_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// Bytes of memory that the system has for programs, if it says so.
#[cfg(not(any(target_os = "linux", target_family = "wasm")))]
pub(crate) fn available() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    (system.total_memory() > 0).then(|| system.available_memory())
}

/// Nobody to ask: a page gets what the allocator gives.
#[cfg(target_family = "wasm")]
pub(crate) fn available() -> Option<u64> {
    None
}

/// The estimate of `MemAvailable` in the text of `/proc/meminfo`, in bytes.
#[cfg(target_os = "linux")]
fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

/// A zeroed slice for a large table.
pub(crate) fn zeroed<T: Clone + Default>(count: usize) -> Box<[T]> {
    // Of a zero, this takes memory that the system has cleared and does not write it: a table costs time as it is used,
    // which matters where there are hundreds of threads with tables of their own.
    let mut table = vec![T::default(); count];
    prefer_huge_pages(&mut table);
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

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_how_much_memory_it_has() {
        let text =
            "MemTotal:       24636656 kB\nMemFree:        19000000 kB\nMemAvailable:   22999999 kB\nBuffers: 1 kB\n";
        assert_eq!(available_in(text), Some(22_999_999 << 10));
        // Kernels before 3.14 have no such line.
        assert_eq!(available_in("MemTotal: 24636656 kB\n"), None);
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }
}
