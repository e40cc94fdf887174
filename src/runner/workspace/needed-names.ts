import { expandBraces } from '../../lib/glob.js'
import { relativePattern } from './select-files.js'
import type { FileSelection } from './workspace.js'

/**
 * Below which names of the project directory everything lies that a selection can choose, none of them below another;
 * the empty name is the directory itself. What is not tracked may be anywhere.
 */
export function neededNames({ paths, untracked }: FileSelection, projectDir: string): string[] {
  const names = paths.flatMap((pattern) => {
    const relative = relativePattern(pattern, projectDir)
    return relative === undefined ? [] : expandBraces(relative).map(staticPart)
  })
  return withoutNested(untracked ? ['', ...names] : names)
}

/** Whether `name` is `other` or lies below it. */
export function isWithin(name: string, other: string): boolean {
  return other === '' || name === other || name.startsWith(`${other}/`)
}

/** The components in front of the first that is no plain name. */
function staticPart(pattern: string): string {
  const components = pattern.split('/')
  const firstGlob = components.findIndex((component) => /[*?[\\]/.test(component))
  return components.slice(0, firstGlob === -1 ? components.length : firstGlob).join('/')
}

function withoutNested(names: string[]): string[] {
  const all = [...new Set(names)]
  return all.filter((name) => !all.some((other) => other !== name && isWithin(name, other)))
}
