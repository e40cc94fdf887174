import { invalid } from '../errors.js'
import { limits } from '../limits.js'

/**
 * How much text expanding variables may still make: a few variables that double one another would otherwise fill the
 * memory, and one long value in many jobs the day.
 */
export class ExpansionBudget {
  private left: number

  constructor(characters: number = limits.expandedCharacters) {
    this.left = characters
  }

  /** Throws `ConfigError` when nothing is left. */
  spend(characters: number): void {
    this.left -= characters
    if (this.left < 0) {
      throw invalid(`The variables expand to more than ${limits.expandedCharacters} characters`)
    }
  }
}
