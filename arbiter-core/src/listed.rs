//! Enums whose variants are counted by the compiler: a list of all of them that cannot forget one.

/// An enum together with `ALL`, the list of its variants in their order.
macro_rules! listed {
    (
        $(#[$about:meta])*
        pub enum $name:ident { $($(#[$what:meta])* $variant:ident,)* }
    ) => {
        $(#[$about])*
        pub enum $name { $($(#[$what])* $variant,)* }

        impl $name {
            /// Every one, in the order in which they are declared.
            pub const ALL: [$name; [$($name::$variant),*].len()] = [$($name::$variant),*];
        }
    };
}

pub(crate) use listed;
