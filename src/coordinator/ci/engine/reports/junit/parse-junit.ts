import type { TestCase } from '../../../storage/artifacts/test-reports.js'
import { readXmlDocuments, type XmlFormat } from '../xml-documents.js'
import { JunitCases } from './junit-cases.js'
import { JunitError } from './junit-error.js'
import { junitLimits } from './junit-limits.js'

const FORMAT: XmlFormat = {
  limits: {
    charactersAtOnce: junitLimits.charactersAtOnce,
    depth: junitLimits.depth,
    documents: junitLimits.files,
  },
  refuse: {
    invalid: refused,
    tooLong: () => refused('an element exceeds the limit'),
    tooDeep: () => refused('the depth of the elements exceeds the limit'),
    tooManyDocuments: () => tooMany('files'),
  },
}

/** Parses the cases of concatenated documents, such as the files of one report. Throws `JunitError`. */
export async function* parseJunit(texts: AsyncIterable<string>): AsyncGenerator<TestCase> {
  let count = 0
  for await (const document of readXmlDocuments(texts, FORMAT, () => new JunitCases())) {
    const cases = document.take()
    yield* cases
    count += cases.length
    if (count > junitLimits.cases) throw tooMany('cases')
  }
}

function tooMany(what: 'cases' | 'files'): JunitError {
  return refused(`more than ${junitLimits[what]} test ${what}`)
}

function refused(reason: string): JunitError {
  return new JunitError(`JUnit XML parsing failed: ${reason}`)
}
