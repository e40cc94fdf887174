import { expandBraces } from '../../lib/glob.js'
import { relativePattern } from './select-files.js'
import type { FileSelection } from './workspace.js'

/**
 * Names of the project directory below which a selection can choose files, none of them below another. The empty
 * name is the directory itself. Untracked files may be anywhere.
 */
export function neededNames({ paths, untracked }: FileSelection, projectDir: string): string[] {
  const names = paths.flatMap((pattern) => {
    const relative = relativePattern(pattern, projectDir)
    return relative === undefined ? [] : expandBraces(relative).map(staticPart)
  })
  return withoutNested(untracked ? ['', ...names] : names)
}

/** Whether `name` is `other` or is below it. */
export function isWithin(name: string, other: string): boolean {
  return other === '' || name === other || name.startsWith(`${other}/`)
}

/** The components before the first one that is not a plain name. */
function staticPart(pattern: string): string {
  const components = pattern.split('/')
  const firstGlob = components.findIndex((component) => /[*?[\\]/.test(component))
  return components.slice(0, firstGlob === -1 ? components.length : firstGlob).join('/')
}

function withoutNested(names: string[]): string[] {
  const all = [...new Set(names)]
  return all.filter((name) => !all.some((other) => other !== name && isWithin(name, other)))
}
