//! The rooms of `docs/architecture.md` and their arrows are those of the workspace.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::{code, read, root, section, table};

/// A room, and the rooms it uses.
#[derive(PartialEq, Eq, Debug)]
struct Room {
    name: String,
    uses: BTreeSet<String>,
}

/// The rooms as the page draws them, in its order.
fn documented() -> Vec<Room> {
    let page = read("docs/architecture.md");
    let room = |row: Vec<&str>| {
        let [name, _, uses] = row[..] else { panic!("expected a room, what it is and what it uses: {row:?}") };
        Room { name: code(name).map(str::to_owned).collect(), uses: code(uses).map(str::to_owned).collect() }
    };
    table(section(&page, "## Rooms")).into_iter().map(room).collect()
}

/// The rooms as their manifests have them. `with_tests` adds what only tests and build scripts use.
fn built(with_tests: bool) -> Vec<Room> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo is there, since it runs the tests");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let packages = list(&metadata["packages"]);
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let rooms = packages.iter().map(|package| {
        let used = list(&package["dependencies"]);
        let used = used.iter().filter(|used| with_tests || used["kind"].is_null()).map(|used| text(&used["name"]));
        Room {
            name: room_of(&text(&package["name"])),
            uses: used.filter(|name| names.contains(name)).map(|name| room_of(&name)).collect(),
        }
    });
    rooms.collect()
}

/// The room of a package; that of the program is called by its folder.
fn room_of(package: &str) -> String {
    package.strip_prefix("chuhe-").unwrap_or("src").to_owned()
}

#[test]
fn the_rooms_and_arrows_of_the_page_are_those_of_the_manifests() {
    let (mut documented, mut built) = (documented(), built(false));
    documented.sort_by(|a, b| a.name.cmp(&b.name));
    built.sort_by(|a, b| a.name.cmp(&b.name));
    let names = |rooms: &[Room]| rooms.iter().map(|room| room.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        names(&documented),
        names(&built),
        "the rooms of docs/architecture.md (left) are not those of the workspace"
    );
    for (page, manifest) in documented.iter().zip(&built) {
        assert_eq!(
            page.uses, manifest.uses,
            "{}: what docs/architecture.md says it uses (left) is not what it uses",
            page.name
        );
    }
}

/// This holds in the order of the page, so that there is no circle; tests may not make one either.
#[test]
fn rooms_use_only_rooms_above_them() {
    let order: Vec<String> = documented().into_iter().map(|room| room.name).collect();
    let floor = |name: &str| order.iter().position(|room| room == name).unwrap_or_else(|| panic!("no room {name}"));
    for room in built(true) {
        for used in &room.uses {
            assert!(
                floor(used) < floor(&room.name),
                "{} uses {used}, which stands below it in docs/architecture.md",
                room.name
            );
        }
    }
}

#[test]
fn every_room_is_a_folder_that_says_what_it_is() {
    for Room { name, .. } in documented() {
        let entry = if name == "src" { "src/main.rs".to_owned() } else { format!("{name}/src/lib.rs") };
        assert!(read(&entry).starts_with("//! "), "{entry} does not begin with its description");
    }
}
