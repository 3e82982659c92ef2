//! What the system would bring, brought along: the allocator, the memory functions of libc, random
//! numbers. With them a count depends on the compiler and the lock file, and on nothing else: not on
//! libc's version, not on which `memcpy` it picks for a processor, not on where memory lies.

#![expect(
    clippy::cast_ptr_alignment,
    clippy::large_stack_arrays,
    reason = "blocks start at multiples of 16, and the arena is a static"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::arch::asm;
use std::cell::{Cell, UnsafeCell};
use std::ptr;

/// Memory for the whole run.
const ARENA: usize = 1 << 28;
/// Blocks of one size are kept together: sixteen bytes, thirty-two, forty-eight, and so on.
const STEP: usize = 16;
/// What is larger comes in powers of two.
const STEPS: usize = 64;

/// An allocator for one thread: lists of free blocks by size, and an arena. About as many
/// instructions as the common case of a good one.
pub(crate) struct Fixed {
    arena: UnsafeCell<[u8; ARENA]>,
    used: Cell<usize>,
    free: [Cell<*mut u8>; STEPS + 64],
    count: Cell<u64>,
}

// SAFETY: the program has one thread.
unsafe impl Sync for Fixed {}

impl Fixed {
    pub(crate) const fn new() -> Self {
        Self {
            arena: UnsafeCell::new([0; ARENA]),
            used: Cell::new(0),
            free: [const { Cell::new(ptr::null_mut()) }; STEPS + 64],
            count: Cell::new(0),
        }
    }

    /// How often memory was taken so far; a reallocation counts.
    pub(crate) fn allocations(&self) -> u64 {
        self.count.get()
    }

    /// The list for a size, and the size of its blocks.
    fn class(size: usize) -> (usize, usize) {
        let steps = size.div_ceil(STEP).max(1);
        if steps < STEPS {
            (steps, steps * STEP)
        } else {
            let size = size.next_power_of_two();
            (STEPS + size.trailing_zeros() as usize, size)
        }
    }
}

// SAFETY: blocks lie in the arena and do not overlap: one is taken from the unused part, or from the
// list of those given back. Both start at multiples of 16.
unsafe impl GlobalAlloc for Fixed {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count.set(self.count.get() + 1);
        let (class, size) = Self::class(layout.size());
        let head = self.free[class].get();
        if !head.is_null() && layout.align() <= STEP {
            // SAFETY: a free block holds the address of the next one.
            self.free[class].set(unsafe { head.cast::<*mut u8>().read() });
            return head;
        }
        let arena = self.arena.get().cast::<u8>();
        let align = layout.align().max(STEP);
        let start = (arena as usize + self.used.get()).next_multiple_of(align) - arena as usize;
        if start + size > ARENA {
            return ptr::null_mut();
        }
        self.used.set(start + size);
        // SAFETY: it ends before the arena does.
        unsafe { arena.add(start) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let (class, _) = Self::class(layout.size());
        // SAFETY: a block has sixteen bytes at least, and nobody uses it any more.
        unsafe { block.cast::<*mut u8>().write(self.free[class].get()) };
        self.free[class].set(block);
    }
}

/// Copies eight bytes in one instruction; `cld` and `std` say in which direction.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller says that both are valid for `count` bytes.
    unsafe {
        asm!(
            "mov rdx, rcx",
            "shr rcx, 3",
            "rep movsq",
            "mov rcx, rdx",
            "and rcx, 7",
            "rep movsb",
            inout("rcx") count => _,
            inout("rdi") to => _,
            inout("rsi") from => _,
            out("rdx") _,
            options(nostack)
        );
    }
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    if (to as usize).wrapping_sub(from as usize) >= count {
        // SAFETY: copying forwards reads every byte before it is written over.
        return unsafe { memcpy(to, from, count) };
    }
    // SAFETY: as above, backwards from the last byte.
    unsafe {
        asm!(
            "std",
            "rep movsb",
            "cld",
            inout("rcx") count => _,
            inout("rdi") to.wrapping_add(count).wrapping_sub(1) => _,
            inout("rsi") from.wrapping_add(count).wrapping_sub(1) => _,
            options(nostack)
        );
    }
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
    let eight = u64::from(byte.to_le_bytes()[0]) * 0x0101_0101_0101_0101;
    // SAFETY: the caller says that it is valid for `count` bytes.
    unsafe {
        asm!(
            "mov rdx, rcx",
            "shr rcx, 3",
            "rep stosq",
            "mov rcx, rdx",
            "and rcx, 7",
            "rep stosb",
            inout("rcx") count => _,
            inout("rdi") to => _,
            in("rax") eight,
            out("rdx") _,
            options(nostack)
        );
    }
    to
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    let mut at = 0;
    while at < count {
        // SAFETY: the caller says that both are valid for `count` bytes.
        let (left, right) = unsafe { (*a.add(at), *b.add(at)) };
        if left != right {
            return i32::from(left) - i32::from(right);
        }
        at += 1;
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    // SAFETY: the caller keeps the same contract.
    unsafe { memcmp(a, b, count) }
}

/// Hash maps take their seeds from here: the same ones each time.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(to: *mut u8, count: usize, _flags: u32) -> isize {
    // SAFETY: the caller says that it is valid for `count` bytes.
    unsafe { memset(to, 7, count) };
    count.cast_signed()
}
