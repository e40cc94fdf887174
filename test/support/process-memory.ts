import { readFile } from 'node:fs/promises'

/** The most memory that a process of this machine has held at once, in bytes (`VmHWM`, proc(5)). Its children have their own. */
export async function peakMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined)
    throw new Error(`The system does not say how much memory process ${pid} has had`)
  return Number(kilobytes) * 1024
}
