/** How a script ended, and whether it left processes behind. */
export interface ScriptEnd {
  exitCode: number
  hasLeftProcesses: boolean
  /** Whether the kernel killed a process of the container for its memory. Undefined if the container cannot tell. */
  ranOutOfMemory: boolean | undefined
}
