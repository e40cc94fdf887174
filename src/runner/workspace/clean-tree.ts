import type { FileOwner } from './workspace.js'

export interface Cleaned {
  /** Whether files changed their owner, so that the times in git's index are outdated. */
  hasNewOwners: boolean
  /** Whether there is a `.gitattributes` file, part of the commit or not. */
  hasAttributes: boolean
}

/**
 * Makes `owner` the owner of everything below `root`, and removes write and set-ID permissions that a job may have
 * granted to others. Changes only files that need it, with a program that checks 50,000 files in a few hundredths
 * of a second. `.git` is skipped, because it is rewritten for each job. Must be called as root.
 */
export async function cleanTree(root: string, owner: FileOwner, signal: AbortSignal): Promise<Cleaned> {
  const first = await clean(root, owner, signal)
  if (!first.hasImmutable) return first
  await makeMutable(root, signal)
  const second = await clean(root, owner, signal)
  return { ...second, hasNewOwners: first.hasNewOwners || second.hasNewOwners }
}

/**
 * Removes the attributes that prevent even root from changing and removing files (`chattr +i`, `+a`). Does not
 * follow links.
 */
export async function makeMutable(path: string, signal?: AbortSignal): Promise<void> {
  const until = signal ? { cancelSignal: signal } : {}
  // Without the program, or without the permission, the next operation fails with a message about the file.
  const { execa } = await import('execa')
  await execa('chattr', ['-R', '-f', '-ia', '--', path], { reject: false, stdio: 'ignore', ...until })
  signal?.throwIfAborted()
}

async function clean(
  root: string,
  owner: FileOwner,
  signal: AbortSignal,
): Promise<Cleaned & { hasImmutable: boolean }> {
  const options = { cwd: root, reject: false, stdin: 'ignore', cancelSignal: signal } as const
  const { execa } = await import('execa')
  const result = await execa('find', cleanArguments(owner), options)
  signal.throwIfAborted()
  const marks = result.stdout
  // A file that root cannot write to is immutable, which would also prevent the changes below.
  const hasImmutable = marks.includes('i')
  if (result.failed && !hasImmutable) {
    throw new Error(`The files of the job cannot be cleaned up: ${result.stderr.split('\n', 1)[0] ?? ''}`, {
      cause: result.cause,
    })
  }
  return { hasNewOwners: marks.includes('o'), hasAttributes: marks.includes('a'), hasImmutable }
}

function cleanArguments({ uid, gid }: FileOwner): string[] {
  const isForeign = ['(', '!', '-uid', String(uid), '-o', '!', '-gid', String(gid), ')']
  const steps = [
    // Checked before anything is changed, because an immutable file would refuse the change.
    ['!', '-type', 'l', '!', '-writable', '-printf', 'i'],
    [...isForeign, '-printf', 'o', '-exec', 'chown', '-h', `${uid}:${gid}`, '{}', '+'],
    ['!', '-type', 'l', '-perm', '/6022', '-exec', 'chmod', 'go-w,ug-s', '{}', '+'],
    ['-type', 'd', '!', '-perm', '-700', '-exec', 'chmod', 'u+rwx', '{}', '+'],
    ['-name', '.gitattributes', '-printf', 'a'],
  ]
  const all = steps.flatMap((step, index) => [...(index === 0 ? [] : [',']), '(', ...step, ')'])
  return ['.', '-path', './.git', '-prune', '-o', '(', ...all, ')']
}
