import { Random } from './random.mjs'
import { VERSION } from './version.mjs'

const LINES_PER_PART = 50_000
const LINES_PER_SECTION = 25_000

/**
 * The parts of a long log: about 50 bytes a line, with sections and colors. It is made while it is sent.
 * @param {number} lines
 * @param {number} startedAt milliseconds since 1970
 */
export function* longLog(lines, startedAt) {
  const random = new Random(41)
  const begin = Math.floor(startedAt / 1000)
  yield Buffer.from(
    `\x1b[0KRunning with switchyard-runner ${VERSION}\x1b[0;m\nfuzz: elapsed: 0s, gathering baseline coverage: 0/1422 completed\n`,
  )
  for (let first = 0; first < lines; first += LINES_PER_PART) {
    /** @type {string[]} */
    const part = []
    for (let line = first; line < Math.min(lines, first + LINES_PER_PART); line++)
      part.push(lineOf(line, begin, random))
    yield Buffer.from(part.join(''))
  }
  yield Buffer.from('\x1b[32;1mJob succeeded\x1b[0;m\n')
}

/**
 * @param {number} line
 * @param {number} begin
 * @param {Random} random
 */
function lineOf(line, begin, random) {
  const second = begin + Math.floor(line / 300)
  if (line % LINES_PER_SECTION === 0) {
    const number = line / LINES_PER_SECTION
    const before = number > 0 ? `\x1b[0Ksection_end:${second}:corpus_${number}\r\x1b[0K` : ''
    return `${before}\x1b[0Ksection_start:${second}:corpus_${number + 1}\r\x1b[0K\x1b[36;1mCorpus ${number + 1}\x1b[0;m\n`
  }
  if (line % 4001 === 17)
    return `\x1b[33mwarning:\x1b[0m tile ${line} took ${random.whole(120, 900)} ms, which is slow\n`
  if (line === 1_640_000) return '\x1b[31mERROR: tile 14/8531/4620 has a ring that is not closed\x1b[0m\n'
  return line % 10 === 0
    ? `\x1b[32mok\x1b[0m   tile ${line} with ${random.whole(2, 900)} features, as before\n`
    : `input ${line}: ${random.whole(0x1000_0000, 0xffff_ffff).toString(16)}${random.whole(0x1000_0000, 0xffff_ffff).toString(16)} covers no new path\n`
}
