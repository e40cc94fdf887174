export interface JobNumber {
  concurrentId: number
  concurrentProjectId: number
  release(): void
}

/** Numbers of the running jobs of one entry: always the smallest free ones (runner protocol, 6.6). */
export class JobNumbers {
  private readonly taken = new Set<number>()
  private readonly takenOfProject = new Map<number, Set<number>>()

  take(projectId: number): JobNumber {
    const ofProject = this.takenOfProject.get(projectId) ?? new Set()
    this.takenOfProject.set(projectId, ofProject)
    const concurrentId = takeSmallest(this.taken)
    const concurrentProjectId = takeSmallest(ofProject)
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

function takeSmallest(taken: Set<number>): number {
  let number = 0
  while (taken.has(number)) number++
  taken.add(number)
  return number
}
