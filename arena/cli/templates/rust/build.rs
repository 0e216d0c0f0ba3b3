// The protocol's types are made of its files.

fn main() -> std::io::Result<()> {
    prost_build::compile_protos(&["proto/arena/v1/bot.proto"], &["proto"])
}
