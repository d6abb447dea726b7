// Figures as people read them.

/** "1,234,567". */
export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** "3 items", "1 item". */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** "812 B", "1.2 MB": decimal units, as AWS bills. */
export function bytesText(bytes: number): string {
  const kUnits = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < kUnits.length - 1) {
    value /= 1000
    ++unit
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${kUnits[unit]}`
}

/** "29 Nov 2026, 12:00:00" in the reader's own time zone. */
export function timeText(epoch_s: number): string {
  return new Date(epoch_s * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
}
