import { invalid } from '../errors.js'
import { limits } from '../limits.js'

/**
 * The amount of text that variable expansion may still produce. Otherwise a few variables that double each
 * other could exhaust the memory, and a long value in many jobs the CPU.
 */
export class ExpansionBudget {
  private left: number

  constructor(characters: number = limits.expandedCharacters) {
    this.left = characters
  }

  /** Throws `ConfigError` if the budget is exhausted. */
  spend(characters: number): void {
    this.left -= characters
    if (this.left < 0) {
      throw invalid(`The variables expand to more than ${limits.expandedCharacters} characters`)
    }
  }
}
