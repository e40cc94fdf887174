import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { JunitError } from './junit-error.js'
import { junitLimits } from './junit-limits.js'
import { JunitParser } from './junit-parser.js'

/** Parses the cases of concatenated documents, such as the files of one report. Throws `JunitError`. */
export async function* parseJunit(texts: AsyncIterable<string>): AsyncGenerator<TestCase> {
  let parser: JunitParser | undefined
  let [documents, count] = [0, 0]
  for await (const piece of texts) {
    let text: string | undefined = piece
    while (text) {
      // Skip whitespace between two documents.
      if (!parser && (text = text.replace(/^[\s\ufeff]+/, '')) === '') break
      parser ??= new JunitParser()
      const { cases, rest }: ReturnType<JunitParser['write']> = parser.write(text)
      yield* cases
      count += cases.length
      if (count > junitLimits.cases) throw tooMany('cases')
      if (rest !== undefined) {
        parser = undefined
        documents++
      }
      if (documents > junitLimits.files) throw tooMany('files')
      text = rest
    }
  }
  if (documents === 0 || parser?.hasBegun) (parser ?? new JunitParser()).close()
}

function tooMany(what: 'cases' | 'files'): JunitError {
  return new JunitError(`JUnit XML parsing failed: more than ${junitLimits[what]} test ${what}`)
}
