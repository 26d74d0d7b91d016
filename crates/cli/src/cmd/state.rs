use crate::exit::Exit;
#[derive(clap::Subcommand)]
pub enum Command {}
pub fn run(_: Command) -> anyhow::Result<Exit> {
    Ok(Exit::Done)
}
