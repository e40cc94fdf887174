/** Enough of a program's file to contain its segment table, which follows the header. */
export const PROGRAM_HEAD_BYTES = 4096

const WIDE = 2
const LITTLE_ENDIAN = 1
/** Type of the segment that names a dynamic linker. */
const INTERPRETER = 3

/** Whether the first bytes of a file are those of an ELF program that needs no shared libraries. */
export function isStaticProgram(head: Buffer): boolean {
  if (head.length < 64 || head.toString('latin1', 0, 4) !== '\x7fELF') return false
  const isWide = head[4] === WIDE
  const isLittle = head[5] === LITTLE_ENDIAN
  const read16 = (at: number): number => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at))
  const read32 = (at: number): number => (isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at))
  // The upper half of a 64-bit offset is ignored: a table so far into the file is not supported.
  const upperFirst = isWide && !isLittle ? 4 : 0
  const table = read32((isWide ? 0x20 : 0x1c) + upperFirst)
  const entrySize = read16(isWide ? 0x36 : 0x2a)
  const entries = read16(isWide ? 0x38 : 0x2c)
  if (entries === 0 || table + entries * entrySize > head.length) return false
  const types = Array.from({ length: entries }, (_, index) => read32(table + index * entrySize))
  return !types.includes(INTERPRETER)
}
