import { expect } from 'vitest'

// Vitest compares buffers element by element, which takes seconds for each megabyte.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined,
])
