//! Where things lie in memory, for the microcontroller only, and what the image calls itself.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=memory.x");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        fs::copy("memory.x", out.join("memory.x"))?;
        println!("cargo::rustc-link-search={}", out.display());
        println!("cargo::rustc-link-arg-bins=-Tlink.x");
        println!("cargo::rustc-link-arg-bins=--nmagic");
    }
    name();
    Ok(())
}

/// Its name, and its version with what it was built of, where whoever builds it says that.
fn name() {
    println!("cargo::rerun-if-env-changed=BUILD_ID");
    let has = |feature: &&str| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    let parts = ["MATRIX", "SHIFT_REGISTER", "HALL", "LAMPS", "DGT3000"];
    let name = parts
        .iter()
        .filter(|part| has(part))
        .fold(String::from("pico"), |name, part| {
            name + "-" + &part.to_lowercase().replace('_', "-")
        });
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = env::var("BUILD_ID").unwrap_or_default();
    let plus = if build.is_empty() { "" } else { "+" };
    println!("cargo::rustc-env=FIRMWARE_NAME={name}");
    println!("cargo::rustc-env=FIRMWARE_VERSION={version}{plus}{build}");
}
