# The program must have the name `app` in Cargo.toml.
FROM rust:1-slim AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked

FROM debian:bookworm-slim
RUN useradd --create-home app
COPY --from=build /src/target/release/app /usr/local/bin/app
USER app
CMD ["app"]
