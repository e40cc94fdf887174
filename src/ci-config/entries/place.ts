/**
 * A spot in the configuration, and the list that its problems go to. A problem reads `<path> <attribute> <message>`, in
 * small letters throughout (CI language, 1.3).
 */
export class Place {
  private constructor(
    /** Keys from the top, joined with `:`. */
    readonly path: string,
    private readonly label: string,
    private readonly problems: string[],
  ) {}

  /** A key at the top of the file. */
  static top(key: string, problems: string[]): Place {
    return new Place(key, `${key} config`, problems)
  }

  /** A key whose value is an entry of its own: `jobs:rspec:image config …`. */
  child(key: string): Place {
    const path = `${this.path}:${key}`
    return new Place(path, `${path} config`, this.problems)
  }

  /** A key whose value belongs to this entry: `jobs:rspec:artifacts expire in …`. */
  attribute(key: string): Place {
    return new Place(`${this.path}:${key}`, `${this.path} ${key.replaceAll('_', ' ')}`, this.problems)
  }

  /** Answers null, so that a reader can end with it. */
  refuse(message: string): null {
    this.problems.push(`${this.label} ${message}`.toLowerCase())
    return null
  }

  /** For a value that is none of several kinds: the message follows the path itself. */
  refuseKind(message: string): null {
    this.problems.push(`${this.path} ${message}`.toLowerCase())
    return null
  }

  /** What the language knows and this version does not. */
  refuseUnsupported(...keys: string[]): null {
    this.problems.push(`${[this.path, ...keys].join(':')} is not supported by this version of Switchyard`)
    return null
  }

  /** Problems found so far, anywhere: two counts tell whether something in between was refused. */
  problemCount(): number {
    return this.problems.length
  }
}
