/**
 * Code that runs in the page. It finds texts whose contrast with their background is below WCAG AA (4.5, or 3 for
 * large text). Disabled controls and invisible texts are exempt.
 */
export const lowContrasts = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const known = new Map()
  const rgba = (color) => {
    if (!known.has(color)) known.set(color, drawn(color))
    return known.get(color)
  }
  const drawn = (color) => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r, g, b, a], under) => [...[r, g, b].map((part, at) => part * a + under[at] * (1 - a)), 1]
  const brightness = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const contrast = (one, other) => {
    const [high, low] = [brightness(one), brightness(other)].sort((a, b) => b - a)
    return (high + 0.05) / (low + 0.05)
  }
  /** Each colour of a gradient counts as a background. */
  const layersOf = (node) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(node)
    const colors = backgroundImage.includes('gradient') ? backgroundImage.match(/(?:rgba?|color)\\([^)]*\\)/g) : null
    return (colors ?? [backgroundColor]).map(rgba)
  }
  const behind = (node) => {
    if (!node) return [[255, 255, 255, 1]]
    const layers = layersOf(node)
    if (layers.every(([, , , a]) => a === 1)) return layers
    return behind(node.parentElement).flatMap((under) => layers.map((layer) => over(layer, under)))
  }
  const found = []
  for (const node of document.body.querySelectorAll('*')) {
    const text = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data.trim()).join('')
    if (!/[\\p{L}\\p{N}]/u.test(text) || node.closest(':disabled, option, script, noscript')) continue
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const { color, fontSize, fontWeight } = getComputedStyle(node)
    const size = parseFloat(fontSize)
    const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
    const least = Math.min(...behind(node).map((under) => contrast(over(rgba(color), under), under)))
    if (least < needed) found.push(text.slice(0, 30) + ': ' + least.toFixed(2))
  }
  return found
})()`

/** Code that runs in the page. It finds controls that are smaller than 44 × 44 pixels, except words within a text. */
export const smallTargets = `[...document.querySelectorAll('button, a, select, summary, input:not([type=file]), textarea, [role=option]')]
  .filter((node) => !node.matches('.in-text, .spoiler') && node.checkVisibility())
  .map((node) => ({ node, box: (node.closest('label') ?? node).getBoundingClientRect() }))
  .filter(({ box }) => box.width < 43.9 || box.height < 43.9)
  .map(({ node, box }) => (node.ariaLabel ?? node.textContent).trim() + ' ' + box.width + ' × ' + box.height)`
