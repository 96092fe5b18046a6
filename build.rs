//! Makes the server follow the client's files, which it embeds. The client itself does not depend on them.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SIDEDECK_BUILD");
    if std::env::var_os("CARGO_FEATURE_SSR").is_some() {
        std::fs::create_dir_all("target/site")?;
        println!("cargo:rerun-if-changed=target/site");
    }
    Ok(())
}
