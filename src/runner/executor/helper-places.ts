/** Directories that the helper process of a job uses, as it sees them. */
export interface HelperPlaces {
  /** Root of the project directories, which the job can write. */
  builds: string
  /** For commands to the container of the job and the output of its scripts. The job can write it. */
  control: string
  /** Git's own directories. The job can read them at the same path. */
  git: string
  /** For downloads and archives. The job has no access. */
  own: string
}

/** The directories in a pod, without `builds`. */
export const POD_PLACES: Omit<HelperPlaces, 'builds'> = {
  control: '/switchyard/control',
  git: '/switchyard/git',
  own: '/switchyard/own',
}
