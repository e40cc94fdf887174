import { licenseOf } from '../licenses.js'
import { licenseFacts } from './license-facts.js'
import type { LicenseTemplate } from './schema.js'
import type { Templates } from './templates.js'

/** Licenses that most projects choose between. */
const POPULAR = new Set(['mit', 'apache-2.0', 'gpl-3.0'])

/** Values for the placeholders of a license. */
export interface Filling {
  /** Name of the project. */
  project?: string | undefined
  /** Name of the copyright holder. */
  fullname?: string | undefined
}

/** The licenses in alphabetical order of their keys; `isPopular` filters them. */
export async function listLicenses(
  templates: Templates,
  isPopular: boolean | undefined,
  signal: AbortSignal,
): Promise<LicenseTemplate[]> {
  const keys = (await templates.keys('licenses', signal)).filter(
    (key) => isPopular === undefined || POPULAR.has(key) === isPopular,
  )
  const found = await Promise.all(keys.map((key) => readLicense(templates, key, {}, signal)))
  return found.filter((license) => license !== undefined)
}

/** The license with its placeholders filled in as far as there are values; undefined for an unknown key. */
export async function readLicense(
  templates: Templates,
  key: string,
  filling: Filling,
  signal: AbortSignal,
): Promise<LicenseTemplate | undefined> {
  const text = await templates.read('licenses', key, signal)
  if (text === undefined) return undefined
  const known = licenseOf(key)
  const isKnown = known.key === key
  const facts = licenseFacts(key)
  return {
    key,
    name: isKnown ? known.name : key,
    nickname: known.nickname,
    popular: POPULAR.has(key),
    featured: POPULAR.has(key),
    description: facts?.description ?? null,
    permissions: [...(facts?.permissions ?? [])],
    conditions: [...(facts?.conditions ?? [])],
    limitations: [...(facts?.limitations ?? [])],
    html_url: isKnown ? known.html_url : null,
    source_url: known.source_url,
    content: filled(text, filling),
  }
}

function filled(text: string, { project, fullname }: Filling): string {
  const values: [placeholder: RegExp, value: string | undefined][] = [
    [/<year>/g, fullname === undefined ? undefined : String(new Date().getUTCFullYear())],
    [/<(owner|copyright holders|name of author)>/g, fullname],
    [/<program>|<one line to give the program's name and a brief idea of what it does\.>/g, project],
  ]
  // A function, because `$&` in a value must stay as it is.
  return values.reduce((all, [placeholder, value]) => {
    return value === undefined ? all : all.replace(placeholder, () => value)
  }, text)
}
