import { Input } from '../../kit/field.js'

interface RunnerFieldsProps {
  description: string
  onDescription: (description: string) => void
  /** Separated by commas. */
  tags: string
  onTags: (tags: string) => void
}

/** The description and the tags of a runner. */
export function RunnerFields({ description, onDescription, tags, onTags }: RunnerFieldsProps) {
  return (
    <>
      <Input label="Description" value={description} onInput={onDescription} autoComplete="off" />
      <Input
        label="Tags"
        value={tags}
        onInput={onTags}
        placeholder="linux, gpu"
        spellcheck={false}
        help="Jobs that name tags go only to runners that have all of them."
      />
    </>
  )
}
