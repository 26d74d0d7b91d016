use crate::exit::Exit;
#[derive(clap::Args)]
pub struct Args {}
pub fn run(_: Args) -> anyhow::Result<Exit> {
    Ok(Exit::Done)
}
