/** What a license allows, requires and excludes, in the words of choosealicense.com. */
export interface LicenseFacts {
  description: string
  permissions: readonly string[]
  conditions: readonly string[]
  limitations: readonly string[]
}

const USE = ['commercial-use', 'modifications', 'distribution', 'private-use'] as const
const USE_AND_PATENTS = [
  'commercial-use',
  'modifications',
  'distribution',
  'patent-use',
  'private-use',
] as const
const NO_LIABILITY = ['liability', 'warranty'] as const
const SOURCE = ['include-copyright', 'document-changes', 'disclose-source'] as const

/** By the key of the license. */
const FACTS: Record<string, LicenseFacts> = {
  'agpl-3.0': {
    description:
      'The strongest copyleft: the source of changed versions is also for those who use them over a network.',
    permissions: USE_AND_PATENTS,
    conditions: [...SOURCE, 'network-use-disclose', 'same-license'],
    limitations: NO_LIABILITY,
  },
  'apache-2.0': {
    description: 'A permissive license that also grants patent rights and asks to state changes.',
    permissions: USE_AND_PATENTS,
    conditions: ['include-copyright', 'document-changes'],
    limitations: ['trademark-use', ...NO_LIABILITY],
  },
  'bsd-2-clause': {
    description: 'A permissive license in two clauses, which keep the notices.',
    permissions: USE,
    conditions: ['include-copyright'],
    limitations: NO_LIABILITY,
  },
  'bsd-3-clause': {
    description: 'A permissive license that also forbids to advertise with the names of the authors.',
    permissions: USE,
    conditions: ['include-copyright'],
    limitations: NO_LIABILITY,
  },
  'bsl-1.0': {
    description: 'A permissive license whose notice is required with source code only.',
    permissions: USE,
    conditions: ['include-copyright--source'],
    limitations: NO_LIABILITY,
  },
  'cc0-1.0': {
    description: 'A waiver of copyright, as far as the law allows; it grants no patent rights.',
    permissions: USE,
    conditions: [],
    limitations: ['trademark-use', 'patent-use', ...NO_LIABILITY],
  },
  'epl-2.0': {
    description: 'A copyleft that is limited to the program itself, with patent rights.',
    permissions: USE_AND_PATENTS,
    conditions: ['disclose-source', 'include-copyright', 'same-license'],
    limitations: NO_LIABILITY,
  },
  'gpl-2.0': {
    description:
      'A copyleft license: derived works are distributed with their source, under the same license.',
    permissions: USE,
    conditions: [...SOURCE, 'same-license'],
    limitations: NO_LIABILITY,
  },
  'gpl-3.0': {
    description: 'A copyleft with patent rights: derived works are distributed under the same license.',
    permissions: USE_AND_PATENTS,
    conditions: [...SOURCE, 'same-license'],
    limitations: NO_LIABILITY,
  },
  isc: {
    description: 'A permissive license, in few words.',
    permissions: USE,
    conditions: ['include-copyright'],
    limitations: NO_LIABILITY,
  },
  'lgpl-2.1': {
    description: 'A copyleft for libraries: programs that use them may have other licenses.',
    permissions: USE,
    conditions: [...SOURCE, 'same-license--library'],
    limitations: NO_LIABILITY,
  },
  'lgpl-3.0': {
    description:
      'A copyleft for libraries with patent rights: programs that use them may have other licenses.',
    permissions: USE_AND_PATENTS,
    conditions: [...SOURCE, 'same-license--library'],
    limitations: NO_LIABILITY,
  },
  mit: {
    description: 'A short permissive license that asks to keep its notice.',
    permissions: USE,
    conditions: ['include-copyright'],
    limitations: NO_LIABILITY,
  },
  'mpl-2.0': {
    description: 'A copyleft that is limited to the files of the program, with patent rights.',
    permissions: USE_AND_PATENTS,
    conditions: ['disclose-source', 'include-copyright', 'same-license--file'],
    limitations: ['trademark-use', ...NO_LIABILITY],
  },
  unlicense: {
    description: 'A dedication to the public domain.',
    permissions: USE,
    conditions: [],
    limitations: NO_LIABILITY,
  },
}

/** The facts of a license; undefined for a license of the installation itself. */
export function licenseFacts(key: string): LicenseFacts | undefined {
  return Object.hasOwn(FACTS, key) ? FACTS[key] : undefined
}
