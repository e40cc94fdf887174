import { isRecord } from '../../../../lib/is-record.js'

/** CI language, 18. */
export const MAX_ANNOTATIONS_BYTES = 81_920
const MAX_ANNOTATIONS = 20

/**
 * Returns the problem of an annotations report, or undefined if it is valid. Each file is an object whose
 * keys are titles of lists of `{ "external_link": { "label": …, "url": … } }` (CI language, 17.3).
 */
export function problemOfAnnotations(files: readonly Buffer[]): string | undefined {
  let count = 0
  for (const file of files) {
    const content = parse(file)
    if (!isRecord(content)) return 'Annotations files must be JSON objects of lists'
    count += Object.keys(content).length
    if (count > MAX_ANNOTATIONS)
      return `Annotations files cannot have more than ${MAX_ANNOTATIONS} annotations`
    const wrong = Object.entries(content).find(([, list]) => !isListOfLinks(list))
    if (wrong) {
      return `Annotation ${JSON.stringify(wrong[0].slice(0, 100))} must be a list of external_link objects, each with a label and an http(s) url`
    }
  }
  return undefined
}

function parse(file: Buffer): unknown {
  try {
    return JSON.parse(file.toString('utf8'))
  } catch {
    return undefined
  }
}

function isListOfLinks(list: unknown): boolean {
  return Array.isArray(list) && list.every(isLink)
}

function isLink(item: unknown): boolean {
  if (!isRecord(item) || Object.keys(item).length !== 1 || !isRecord(item['external_link'])) return false
  const { label, url } = item['external_link']
  return typeof label === 'string' && label !== '' && typeof url === 'string' && isWebAddress(url)
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
