//! The parts of Zstandard that readers and writers use. In a build without it every stream fails with an error that says so.

#[cfg(feature = "zstd")]
pub(crate) use with::*;

#[cfg(not(feature = "zstd"))]
pub(crate) use without::{Decoder, Encoder, InBuffer, OutBuffer, RawDecoder};

#[cfg(feature = "zstd")]
mod with {
    pub(crate) use zstd::stream::raw::{InBuffer, Operation, OutBuffer};

    pub(crate) type Decoder<R> = zstd::stream::read::Decoder<'static, R>;
    pub(crate) type Encoder<W> = zstd::stream::write::Encoder<'static, W>;
    pub(crate) type RawDecoder = zstd::stream::raw::Decoder<'static>;
}

#[cfg(not(feature = "zstd"))]
mod without {
    use std::convert::Infallible;
    use std::io::{self, Read, Write};
    use std::marker::PhantomData;

    fn missing<T>() -> io::Result<T> {
        let message = lookalike_core::built_without!("zstd", "zstd");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    pub(crate) struct Decoder<R>(Infallible, PhantomData<R>);

    impl<R> Decoder<R> {
        pub(crate) fn new(_: R) -> io::Result<Self> {
            missing()
        }

        pub(crate) fn with_buffer(_: R) -> io::Result<Self> {
            missing()
        }
    }

    impl<R> Read for Decoder<R> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            match self.0 {}
        }
    }

    pub(crate) struct Encoder<W>(Infallible, PhantomData<W>);

    impl<W> Encoder<W> {
        pub(crate) fn new(_: W, _: i32) -> io::Result<Self> {
            missing()
        }

        pub(crate) fn include_checksum(&mut self, _: bool) -> io::Result<()> {
            match self.0 {}
        }

        pub(crate) fn finish(self) -> io::Result<W> {
            match self.0 {}
        }
    }

    impl<W> Write for Encoder<W> {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            match self.0 {}
        }

        fn flush(&mut self) -> io::Result<()> {
            match self.0 {}
        }
    }

    pub(crate) struct RawDecoder(Infallible);

    pub(crate) struct InBuffer;

    pub(crate) struct OutBuffer;

    impl InBuffer {
        pub(crate) fn around(_: &[u8]) -> Self {
            Self
        }

        pub(crate) fn pos(&self) -> usize {
            0
        }
    }

    impl OutBuffer {
        pub(crate) fn around(_: &mut [u8]) -> Self {
            Self
        }

        pub(crate) fn pos(&self) -> usize {
            0
        }
    }

    impl RawDecoder {
        pub(crate) fn new() -> io::Result<Self> {
            missing()
        }

        pub(crate) fn with_dictionary(_: &[u8]) -> io::Result<Self> {
            missing()
        }

        pub(crate) fn reinit(&mut self) -> io::Result<()> {
            match self.0 {}
        }

        pub(crate) fn run(&mut self, _: &mut InBuffer, _: &mut OutBuffer) -> io::Result<usize> {
            match self.0 {}
        }
    }
}
