//! What differs between operating systems about other processes.

use std::io;
use std::process::{Child, Command};
use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Prepares a command so that the engine is in a process group of its own: Ctrl-C at the terminal is for us
/// alone, and whatever a wrapper script starts can be ended with it.
pub(crate) fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
    }
}

/// Ends the engine, and on Unix everything in its process group.
pub(crate) fn kill(child: &mut Child) {
    kill_group(child);
    // Fails only when there is nothing left to end.
    let _ = child.kill();
}

/// Ends everything in the process group of a process that may have ended but has not been waited for: until then the
/// number of the group is no stranger's. Does nothing where there are no groups.
pub(crate) fn kill_group(child: &Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
    #[cfg(not(unix))]
    let _ = child;
}

/// Whether a process that has not been waited for has ended; on Unix this leaves it to be waited for.
pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
    }
    #[cfg(not(unix))]
    {
        child.try_wait().map(|status| status.is_some())
    }
}

/// Binds a process that has just been started, and with it all threads it will start, to these cores.
///
/// # Errors
/// One line for the organiser.
pub(crate) fn bind_to_cores(child: &Child, cores: &[usize]) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        for &core in cores {
            if core >= rustix::thread::CpuSet::MAX_CPU {
                return Err(format!("there is no core {core}"));
            }
            set.set(core);
        }
        rustix::thread::sched_setaffinity(Some(rustix::process::Pid::from_child(child)), &set)
            .map_err(|error| format!("cannot be bound to the cores {cores:?}: {error}"))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (child, cores);
        Err("engines can be bound to cores on Linux only".to_owned())
    }
}

/// The CPU time that a running process has used, all its threads together; on Linux in steps of 10 ms.
pub(crate) fn cpu_time(id: u32) -> Option<Duration> {
    let id = Pid::from_u32(id);
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing().with_cpu().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), false, kind);
    system.process(id).map(|process| Duration::from_millis(process.accumulated_cpu_time()))
}
