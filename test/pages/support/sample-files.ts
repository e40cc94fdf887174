const RATE = 8192
const SOUND_BYTES = 2 * RATE

/** A second of silence (WAV). All its bytes are ASCII characters, so that a string holds it. */
export const SOUND = (() => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + SOUND_BYTES, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(2 * RATE, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(SOUND_BYTES, 40)
  return header.toString('latin1') + '\0'.repeat(SOUND_BYTES)
})()

/**
 * A PDF of one page.
 * @param text in ASCII, without parentheses
 * @param script runs when the document is opened, in viewers that run scripts
 */
export function pdfOf(text: string, script?: string): string {
  const content = `BT /F1 32 Tf 40 200 Td (${text}) Tj ET`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${script === undefined ? '' : '/OpenAction 6 0 R'} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...(script === undefined
      ? []
      : [`<< /S /JavaScript /JS (${script.replace(/[()\\]/g, String.raw`\$&`)}) >>`]),
  ]
  let document = '%PDF-1.4\n'
  const positions = objects.map((object, index) => {
    const position = document.length
    document += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(position).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  return `${document}xref\n0 ${size}\n0000000000 65535 f \n${positions.join('')}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${document.length}\n%%EOF\n`
}
