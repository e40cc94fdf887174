import { quote } from '../job/stages/script-text.js'

/** Variables that shells set themselves, and whose assignment may end them. */
const SET_BY_SHELLS = new Set([
  'BASHOPTS',
  'BASH_VERSINFO',
  'EUID',
  'LINENO',
  'OPTIND',
  'PPID',
  'SHELLOPTS',
  'UID',
])

/** Commands of a shell that export the variables of a job. Names that a shell cannot have are left out. */
export function exportCommands(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && !SET_BY_SHELLS.has(name))
    .map(([name, value]) => `export ${name}=${quote(value)}\n`)
    .join('')
}
