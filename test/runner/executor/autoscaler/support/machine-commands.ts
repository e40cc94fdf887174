import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { namesIn } from '../../../../../src/lib/files.js'
import type { CommandPluginSettings } from '../../../../../src/runner/executor/docker/autoscaler/model/settings.js'
import { tempDir } from '../../../../support/temp-dir.js'

/** Machines are files. All of them have the engine at `$HOST`. */
const SCRIPT = `#!/bin/sh
request=$(cat)
name=$(printf '%s' "$request" | sed -n 's/.*"name":"\\([^"]*\\)".*/\\1/p')
[ "$1" = list ] || echo "$1 $name" >> "$DIR/log"
case "$1" in
create) touch "$DIR/machines/$name"; echo '{"instance":{"id":"i-1"}}' ;;
delete) rm -f "$DIR/machines/$name" ;;
list)
  separator=
  printf '{"instances":['
  for file in "$DIR"/machines/*; do
    [ -e "$file" ] || continue
    printf '%s{"name":"%s"}' "$separator" "\${file##*/}"
    separator=,
  done
  echo ']}' ;;
connect) echo "{\\"host\\":\\"$HOST\\"}" ;;
esac
`

/** Commands for plugin "command", and what they did. */
export interface MachineCommands {
  settings: CommandPluginSettings
  /** Names of the machines that exist. */
  machines(): Promise<string[]>
  /** A line such as `create ci-0000000a` for each call except lists. */
  calls(): Promise<string[]>
}

/** @param host the engine of all machines */
export async function machineCommands(host: string): Promise<MachineCommands> {
  const folder = await tempDir()
  const script = join(folder, 'machines.sh')
  await writeFile(script, SCRIPT)
  await chmod(script, 0o755)
  await writeFile(join(folder, 'log'), '')
  await mkdir(join(folder, 'machines'))
  const seconds = 10_000
  return {
    settings: {
      kind: 'command',
      commands: {
        create: [script, 'create'],
        delete: [script, 'delete'],
        list: [script, 'list'],
        connect: [script, 'connect'],
      },
      timeouts: { create: seconds, delete: seconds, list: seconds, connect: seconds },
      environment: { DIR: folder, HOST: host },
    },
    machines: () => namesIn(join(folder, 'machines')),
    calls: async () =>
      (await readFile(join(folder, 'log'), 'utf8')).split('\n').filter((line) => line !== ''),
  }
}
