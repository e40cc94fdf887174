export interface JobNumber {
  concurrentId: number
  concurrentProjectId: number
  release(): void
}

/**
 * Assigns numbers to the running jobs of one registration, always the smallest free ones (runner protocol, 6.6).
 */
export class JobNumbers {
  private readonly taken = new Set<number>()
  private readonly takenOfProject = new Map<number, Set<number>>()

  /** `wanted`: the numbers that a resumed job already has. */
  take(projectId: number, wanted?: Omit<JobNumber, 'release'>): JobNumber {
    const ofProject = this.takenOfProject.get(projectId) ?? new Set()
    this.takenOfProject.set(projectId, ofProject)
    const concurrentId = take(this.taken, wanted?.concurrentId)
    const concurrentProjectId = take(ofProject, wanted?.concurrentProjectId)
    return {
      concurrentId,
      concurrentProjectId,
      release: () => {
        this.taken.delete(concurrentId)
        ofProject.delete(concurrentProjectId)
        if (ofProject.size === 0) this.takenOfProject.delete(projectId)
      },
    }
  }
}

function take(taken: Set<number>, wanted = 0): number {
  let number = wanted
  while (taken.has(number)) number++
  taken.add(number)
  return number
}
