//! Everything in this program that differs between processors and operating systems.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::say;

/// Refuses a processor that lacks instructions this build uses, before it stumbles over one.
///
/// `is_x86_feature_detected!` is no help: it is constant for features the build takes for granted.
#[cfg(target_arch = "x86_64")]
pub(crate) fn require_cpu() -> Result<(), ExitCode> {
    let (level, there) = if cfg!(target_feature = "avx2") {
        ("x86-64-v3 (2013 and later, with AVX2 and BMI2)", cpu::has_v2() && cpu::has_v3())
    } else if cfg!(target_feature = "sse4.2") {
        ("x86-64-v2 (2009 and later, with SSE4.2 and POPCNT)", cpu::has_v2())
    } else {
        return Ok(());
    };
    if there {
        return Ok(());
    }
    say(&format!("this processor is too old for this build, which needs {level}"));
    Err(ExitCode::from(2))
}

/// Other processors have one level only.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn require_cpu() -> Result<(), ExitCode> {
    Ok(())
}

/// Ignores the interrupt that a terminal sends to its whole group when the engine runs under a GUI or script, which
/// ends it by `quit` or by closing the pipe. At a terminal, with nobody in between, Ctrl-C ends the program as usual.
pub(crate) fn ignore_interrupt_under_gui() {
    #[cfg(unix)]
    let ignore = || signal_hook::flag::register(signal_hook::consts::SIGINT, std::sync::Arc::default()).map(drop);
    #[cfg(not(unix))]
    let ignore = || ctrlc::set_handler(|| ());
    if !io::stdin().is_terminal()
        && let Err(error) = ignore()
    {
        log::warn!("cannot ignore interrupts: {error}");
    }
}

/// Has the first signal that asks the program to end call `stop`, so that the work ends in good order; the second ends the
/// program at once, which files survive too.
pub(crate) fn stop_on_signal(stop: impl Fn() + Send + 'static) {
    let was_asked = AtomicBool::new(false);
    let handler = move || {
        if was_asked.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        stop();
    };
    if let Err(error) = on_end_signal(handler) {
        say(&format!("cannot catch interrupts: {error}"));
    }
}

/// Calls a handler for each signal that asks the program to end: Ctrl-C and `SIGTERM`. `SIGHUP` keeps its effect, so that
/// `nohup` can take it away.
#[cfg(unix)]
fn on_end_signal(handler: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(|_| handler()))?;
    Ok(())
}

/// Calls a handler for Ctrl-C.
#[cfg(not(unix))]
fn on_end_signal(handler: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

/// Whether a write failed because its reader has gone away.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    /// `ERROR_PIPE_NOT_CONNECTED`: what Windows says when the other end was closed in good order.
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || (cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED))
}

/// The raw feature bits of `cpuid`.
#[cfg(target_arch = "x86_64")]
mod cpu {
    use std::arch::x86_64::{__cpuid, __cpuid_count, CpuidResult};

    /// A leaf of `cpuid`; all zero when the processor does not have it.
    fn leaf(number: u32) -> CpuidResult {
        // SAFETY: every x86-64 processor has the instruction `cpuid`. Newer compilers know that and call it safe.
        #[allow(unused_unsafe, reason = "needed by the oldest compiler that is supported")]
        unsafe {
            let highest = __cpuid(number & 0x8000_0000).eax;
            if number <= highest { __cpuid_count(number, 0) } else { CpuidResult { eax: 0, ebx: 0, ecx: 0, edx: 0 } }
        }
    }

    /// Whether all these bits are set.
    fn has(register: u32, bits: &[u32]) -> bool {
        bits.iter().all(|bit| register >> bit & 1 == 1)
    }

    /// SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF.
    pub(super) fn has_v2() -> bool {
        has(leaf(1).ecx, &[0, 9, 13, 19, 20, 23]) && has(leaf(0x8000_0001).ecx, &[0])
    }

    /// FMA, MOVBE, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT; and a system that saves the wide registers.
    pub(super) fn has_v3() -> bool {
        has(leaf(1).ecx, &[12, 22, 27, 28, 29])
            && has(leaf(7).ebx, &[3, 5, 8])
            && has(leaf(0x8000_0001).ecx, &[5])
            && system_saves_avx()
    }

    /// Whether the system saves the XMM and YMM registers of a thread.
    #[cfg(target_feature = "xsave")]
    fn system_saves_avx() -> bool {
        // SAFETY: called only where `cpuid` has shown OSXSAVE, so that `xgetbv` may be executed.
        let mask = unsafe { std::arch::x86_64::_xgetbv(0) };
        mask & 0b110 == 0b110
    }

    #[cfg(not(target_feature = "xsave"))]
    fn system_saves_avx() -> bool {
        true
    }
}
