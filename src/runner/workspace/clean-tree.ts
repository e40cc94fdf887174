import { execa } from 'execa'

import type { FileOwner } from './workspace.js'

export interface Tidied {
  /** Files were given to their owner: what git remembers of their times is no longer true. */
  hasNewOwners: boolean
  /** There is a `.gitattributes` somewhere, of the commit or not. */
  hasAttributes: boolean
}

/**
 * Gives everything below `root` to `owner`, and takes away what a job may have given to others: rights to write, and
 * to become its owner. Only what is not so is touched, by a program that looks at 50,000 files in a few hundredths of a
 * second. `.git` is left out, which is written afresh for each job. To be called as root.
 */
export async function cleanTree(root: string, owner: FileOwner): Promise<Tidied> {
  const first = await tidy(root, owner)
  if (!first.hasImmutable) return first
  await makeMutable(root)
  const second = await tidy(root, owner)
  return { ...second, hasNewOwners: first.hasNewOwners || second.hasNewOwners }
}

/** Takes the marks away that keep even root from changing and removing (`chattr +i`, `+a`); links are not followed. */
export async function makeMutable(path: string): Promise<void> {
  // Without the program, or the right, what follows fails with a word about the file.
  await execa('chattr', ['-R', '-f', '-ia', '--', path], { reject: false, stdio: 'ignore' })
}

async function tidy(root: string, owner: FileOwner): Promise<Tidied & { hasImmutable: boolean }> {
  const result = await execa('find', cleanArguments(owner), { cwd: root, reject: false, stdin: 'ignore' })
  const marks = result.stdout
  // What cannot be written to by root is immutable, and stands in the way of the changes as well.
  const hasImmutable = marks.includes('i')
  if (result.failed && !hasImmutable) {
    throw new Error(`The files of the job cannot be tidied: ${result.stderr.split('\n', 1)[0] ?? ''}`, {
      cause: result.cause,
    })
  }
  return { hasNewOwners: marks.includes('o'), hasAttributes: marks.includes('a'), hasImmutable }
}

function cleanArguments({ uid, gid }: FileOwner): string[] {
  const isForeign = ['(', '!', '-uid', String(uid), '-o', '!', '-gid', String(gid), ')']
  const steps = [
    // Before anything is changed, which an immutable file would refuse.
    ['!', '-type', 'l', '!', '-writable', '-printf', 'i'],
    [...isForeign, '-printf', 'o', '-exec', 'chown', '-h', `${uid}:${gid}`, '{}', '+'],
    ['!', '-type', 'l', '-perm', '/6022', '-exec', 'chmod', 'go-w,ug-s', '{}', '+'],
    ['-type', 'd', '!', '-perm', '-700', '-exec', 'chmod', 'u+rwx', '{}', '+'],
    ['-name', '.gitattributes', '-printf', 'a'],
  ]
  const all = steps.flatMap((step, index) => [...(index === 0 ? [] : [',']), '(', ...step, ')'])
  return ['.', '-path', './.git', '-prune', '-o', '(', ...all, ')']
}
