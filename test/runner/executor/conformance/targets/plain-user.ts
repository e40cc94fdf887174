import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A user that exists only for the processes of an engine. */
const NAME = 'switchyard-test'
const ID = 64_321
const SUBORDINATE = '6500000:65536'
const PROGRAMS = ['/usr/bin/newuidmap', '/usr/bin/newgidmap', '/usr/bin/slirp4netns', '/usr/bin/setpriv']

/** Runs the rest of a command as the user. */
export const AS_USER = ['setpriv', `--reuid=${ID}`, `--regid=${ID}`, '--clear-groups']

/** Shows the files of `prepareUser` to the processes of an engine, in place of those of the machine. */
export const SHOW_USER = ['passwd', 'group', 'subuid', 'subgid']
  .map((name) => `mount --bind "$0/etc/${name}" /etc/${name}`)
  .join('; ')

/** Why this machine can run no engine of a plain user. Undefined if it can. */
export function missingForUser(): string | undefined {
  const program = PROGRAMS.find((path) => !existsSync(path))
  return program === undefined ? undefined : `there is no ${program}`
}

/** The environment of a session of the user, whose home is in `folder`. */
export function userEnvironment(folder: string): Record<string, string> {
  return {
    HOME: join(folder, 'home'),
    USER: NAME,
    XDG_RUNTIME_DIR: join(folder, 'runtime'),
    XDG_CONFIG_HOME: join(folder, 'home/.config'),
    DBUS_SESSION_BUS_ADDRESS: '',
    TMPDIR: join(folder, 'runtime'),
  }
}

/** Makes the user the owner of `folder`. */
export async function prepareUser(folder: string): Promise<void> {
  const etc = join(folder, 'etc')
  await mkdir(etc)
  const passwd = await readFile('/etc/passwd', 'utf8')
  const group = await readFile('/etc/group', 'utf8')
  await writeFile(join(etc, 'passwd'), `${passwd}${NAME}:x:${ID}:${ID}::${join(folder, 'home')}:/bin/sh\n`)
  await writeFile(join(etc, 'group'), `${group}${NAME}:x:${ID}:\n`)
  for (const name of ['subuid', 'subgid']) await writeFile(join(etc, name), `${NAME}:${SUBORDINATE}\n`)
  for (const name of ['home', 'runtime']) await mkdir(join(folder, name), { mode: 0o700 })
  await chmod(folder, 0o755)
  for (const name of ['.', 'home', 'runtime']) await chown(join(folder, name), ID, ID)
}
