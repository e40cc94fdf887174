import { Button } from '../kit/button.js'

interface PreviewChoiceProps {
  isPreview: boolean
  onChoose: (isPreview: boolean) => void
}

/** The buttons that change between Markdown as it is written and as it is shown. */
export function PreviewChoice({ isPreview, onChoose }: PreviewChoiceProps) {
  return (
    <>
      <Button size="small" aria-pressed={!isPreview} onClick={() => onChoose(false)}>
        Write
      </Button>
      <Button size="small" aria-pressed={isPreview} onClick={() => onChoose(true)}>
        Preview
      </Button>
    </>
  )
}
