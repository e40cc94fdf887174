/** Numbers of a user and a group. */
export interface Owner {
  uid: number
  gid: number
}

/** Text of `/etc/passwd` and `/etc/group`; empty when there is no such file. */
export interface UserFiles {
  passwd: string
  group: string
}

/** Whose numbers are plain to see: root, nobody named, and `uid:gid`. Undefined: the image's files tell. */
export function numericOwner(user: string): Owner | undefined {
  if (user === '' || user === 'root') return { uid: 0, gid: 0 }
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(user) ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/**
 * As the engine reads `user[:group]`: a name must stand in the files; a number need not, and has the group 0 then.
 * Undefined for a name that is not there.
 */
export function findOwner(user: string, { passwd, group }: UserFiles): Owner | undefined {
  const [userName = '', groupName] = user.split(':')
  const line = findLine(passwd, userName)
  const uid = line ? numberIn(line, 2) : plainNumber(userName)
  const gid = groupName ? findGroup(groupName, group) : line ? numberIn(line, 3) : 0
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

function findGroup(name: string, group: string): number | undefined {
  const line = findLine(group, name)
  return line ? numberIn(line, 2) : plainNumber(name)
}

/** `name:password:number:...`, by name or number. */
function findLine(file: string, name: string): string[] | undefined {
  const lines = file.split('\n').map((line) => line.trim().split(':'))
  return lines.find(([first]) => first === name) ?? lines.find(([, , number]) => number === name)
}

function numberIn(line: string[], index: number): number | undefined {
  return plainNumber(line[index] ?? '')
}

function plainNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}
