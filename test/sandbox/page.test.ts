/** @module-tag browser */
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Bot, InlineKeyboard, InputFile } from 'grammy'
import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { drawing, field } from '../../src/pictures/drawing.ts'
import { render } from '../../src/pictures/render.ts'
import {
  createProvider,
  createTelegram,
  type ProviderSimulator,
  type TelegramSimulator,
} from '../../src/sandbox/index.ts'
import { launchBrowser } from '../support/browser/browser.ts'
import { bundledPage, pageSource } from '../support/browser/bundled-page.ts'
import { lowContrasts, smallTargets } from './page-looks.ts'

/** Allows for a slow machine. */
const soon = { timeout: 30_000 }

const wide = { width: 1280, height: 800 }

let pageDir: string
let browser: Browser
let provider: ProviderSimulator
let telegram: TelegramSimulator
let bot: Bot
/**
 * One page for all tests, because a new one takes a second of computing. Each test has its own port, so the page has
 * no memory of the others.
 */
let page: Page
/** Faults that the page must never have: requests to other hosts, errors, violations of its security policy. */
let faults: string[]
/** The bot's pending answer, until the test resolves it. */
let think: PromiseWithResolvers<void>

beforeAll(async () => {
  pageDir = await bundledPage()
  browser = await launchBrowser()
  page = await browser.newPage({ viewport: wide })
  watch(page)
})

afterAll(async () => {
  await browser?.close()
  await rm(pageDir, { recursive: true })
})

beforeEach(async () => {
  provider = await createProvider()
  telegram = await startTelegram(0)
  think = Promise.withResolvers()
  bot = await startBot()
  await openPage()
})

afterEach(async () => {
  await page.goto('about:blank')
  await bot.stop()
  await Promise.all([telegram.stop(), provider.stop()])
  expect(faults).toEqual([])
})

describe('a chat on the sandbox’s page', () => {
  test('shows a text as Telegram does, and escaped markup as plain text', async () => {
    await startChat()
    const welcome = lastFromBot()
    expect(await welcome.locator('strong').innerText()).toBe('reseller')
    expect(await welcome.locator('code').innerText()).toBe('0241234567')
    await welcome.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await welcome.locator('img').count()).toBe(0)
  })

  test('shares the person’s number after the person has pressed the button and agreed', async () => {
    await startChat()
    await say('number')
    await page.getByPlaceholder('Your number').waitFor()
    await page.getByRole('button', { name: 'My number' }).click()
    await page.getByRole('button', { name: 'Share', exact: true }).last().click()
    await lastFromBot().getByText('Own contact').waitFor()
    expect(await page.getByRole('button', { name: 'My number' }).isVisible()).toBe(false)
  })

  test('shows times by the browser’s clock, and marks silent messages', async () => {
    await startChat()
    await say('time')
    await lastFromBot().getByTitle('Sent silently').waitFor()
    expect(await lastFromBot().locator('.text time').innerText()).toMatch(/^\d\d:\d\d$/)
  })

  test('edits a message in place when its button is pressed, and shows the short answer', async () => {
    await startChat()
    const id = await lastFromBot().getAttribute('data-message-id')
    await lastFromBot().getByRole('button', { name: 'Count' }).click()
    const edited = page.locator(`[data-message-id="${id}"]`)
    await edited.getByText('Pressed 1 time').waitFor()
    await edited.getByText('edited').waitFor()
    await page.getByTestId('toasts').getByText('Counted').waitFor()
    await edited.getByRole('button', { name: 'Count' }).click()
    await edited.getByText('Pressed 2 times').waitFor()
    expect(await lastFromBot().getAttribute('data-message-id')).toBe(id)
  })

  test('shows an alert until it is closed', async () => {
    await startChat()
    await lastFromBot().getByRole('button', { name: 'Alert' }).click()
    const alert = page.getByRole('dialog', { name: 'Mind the gap' })
    await alert.waitFor()
    await page.keyboard.press('Escape')
    await alert.waitFor({ state: 'detached' })
  })

  test('removes a deleted message', async () => {
    await startChat()
    const welcome = await stable(lastFromBot())
    await welcome.getByRole('button', { name: 'Delete' }).click()
    await welcome.waitFor({ state: 'detached' })
  })

  test('shows that the bot is typing until it answers', async () => {
    await startChat()
    await say('think')
    await page.getByTestId('typing').waitFor()
    expect(await page.getByTestId('presence').innerText()).toBe('typing…')
    think.resolve()
    await log().getByText('Thought it over').waitFor()
    await page.getByTestId('typing').waitFor({ state: 'detached' })
  })

  test('sends a chosen file with a caption, and downloads a file that the bot sends', async () => {
    await startChat()
    const numbers = { name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from('0241234567,5GB\n') }
    await page.getByTestId('file-input').setInputFiles(numbers)
    await page.getByTestId('context').getByText('numbers.csv').waitFor()
    await say('for today')
    await lastFromBot().getByText('for today: 15 bytes').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      lastFromBot().getByTestId('file').click(),
    ])
    expect(download.suggestedFilename()).toBe('back-numbers.csv')
    expect(readFileSync(await download.path(), 'utf8')).toBe('0241234567,5GB\n')
  })

  test('shows the bot’s picture large after a press, until the next press', async () => {
    await startChat()
    const chatId = Number(telegram.calls('sendMessage').at(-1)?.payload.chat_id)
    const png = await render(drawing(600, [field({ x: 90, y: 90, width: 900, height: 420 }, '#3B6FE0')]))
    await bot.api.sendPhoto(chatId, new InputFile(png, 'p.png'), { caption: 'Last 7 days' })
    await lastFromBot().getByText('Last 7 days').waitFor()
    const small = (await lastFromBot().getByTestId('picture').locator('img').boundingBox())?.width ?? 0
    await lastFromBot().getByTestId('picture').click()
    const large = page.getByRole('dialog', { name: 'Picture' }).getByRole('img', { name: 'Last 7 days' })
    await vi.waitFor(async () => {
      expect((await large.boundingBox())?.width).toBeGreaterThan(Math.max(small, 400))
    }, soon)
    await large.click()
    await large.waitFor({ state: 'detached' })
  })

  test('sends a file that was dropped on it', async () => {
    await startChat()
    const transfer = await page.evaluateHandle(fileInHand)
    await page.getByTestId('log').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByTestId('context').getByText('list.txt').waitFor()
    await page.getByTestId('send').click()
    await lastFromBot().getByText('14 bytes').waitFor()
  })

  test('sends a contact and shows it', async () => {
    await startChat()
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByRole('menuitem', { name: 'Contact' }).click()
    await page.getByTestId('contact-name').fill('Kofi')
    await page.getByTestId('contact-number').fill('024 123 4567')
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await lastFromBot().getByText('Contact: Kofi 024 123 4567').waitFor()
    await page.getByTestId('contact').getByText('024 123 4567').waitFor()
  })

  test.each([
    ['Voice message', 'voice', '3 s'],
    ['Sticker', 'sticker', '👍'],
    ['Location', 'location', '5.6037, -0.187'],
  ])('sends and shows a message that the bot cannot read: %s', async (item, kind, shown) => {
    await startChat()
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await lastOwn().getByTestId(kind).getByText(shown).waitFor()
    await lastFromBot().getByText(`Got: ${kind}`).waitFor()
  })

  test('splits a long text into messages at line ends, as Telegram’s apps do', async () => {
    await startChat()
    const line = '0241234567 5GB'
    await say(Array.from({ length: 600 }, () => line).join('\n'))
    await vi.waitFor(() => expect(ownTexts()).toHaveLength(4), soon)
    const [, ...parts] = ownTexts()
    expect(parts.flatMap((part) => part.split('\n'))).toEqual(Array.from({ length: 600 }, () => line))
    for (const part of parts.slice(0, -1)) {
      expect(part.length).toBeLessThanOrEqual(4_096)
      expect(part.length).toBeGreaterThan(3_780)
    }
  })

  test('makes a message as wide as its picture, however long the caption is', async () => {
    await startChat()
    const chatId = Number(telegram.calls('sendMessage').at(-1)?.payload.chat_id)
    const png = await render(drawing(600, [field({ x: 90, y: 90, width: 900, height: 420 }, '#3B6FE0')]))
    await bot.api.sendPhoto(chatId, new InputFile(png, 'p.png'), { caption: 'Many words. '.repeat(30) })
    await lastFromBot().getByText('Many words.').waitFor()
    const bubble = await lastFromBot().getByTestId('bubble').boundingBox()
    const picture = await lastFromBot().getByTestId('picture').boundingBox()
    expect((bubble?.width ?? 0) - (picture?.width ?? 0)).toBeLessThan(12)
  })

  test('shows a picture', async () => {
    await startChat()
    await say('picture')
    const picture = lastFromBot().getByRole('img', { name: 'One dot' })
    await picture.evaluate((image) => image.decode())
  })

  test('can reply to, edit, forward and delete messages', async () => {
    await startChat()
    await messageMenu(lastFromBot(), 'Reply')
    await say('about this')
    await log().getByText('A reply to: Welcome').waitFor()
    await messageMenu(lastOwn(), 'Edit')
    await say('about that')
    await log().getByText('Edited to: about that').waitFor()
    await messageMenu(lastOwn(), 'Forward to the bot')
    await log().getByText('Forwarded: about that').waitFor()
    const own = await stable(lastOwn())
    await messageMenu(own, 'Delete')
    await own.waitFor({ state: 'detached' })
  })

  test('says that no bot is connected until one connects', async () => {
    const note = page.getByTestId('no-bot')
    await note.waitFor({ state: 'hidden' })
    await bot.stop()
    await note.waitFor(soon)
    expect(await note.innerText()).toContain('No bot is connected')
    bot = await startBot()
    await note.waitFor({ state: 'hidden', ...soon })
  })

  test('hides the text field while the bot is blocked, and shows it again afterwards', async () => {
    await startChat()
    await page.getByRole('button', { name: 'Chat menu' }).click()
    await page.getByRole('menuitem', { name: 'Block the bot' }).click()
    await page.getByTestId('composer').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Unblock the bot' }).click()
    await page.getByTestId('composer').waitFor()
  })
})

describe('a link on the sandbox’s page', () => {
  test('opens the bot with its payload, from a button and from a text', async () => {
    await startChat()
    await lastFromBot().getByRole('button', { name: 'Open' }).click()
    await log().getByText('Opened with from-button').waitFor()
    await lastFromBot().getByRole('link').click()
    await log().getByText('Opened with from-text').waitFor()
    expect(page.url().startsWith(telegram.pageUrl)).toBe(true)
  })

  test('can be passed on to another person, who opens the bot as themselves', async () => {
    await startChat()
    await lastFromBot().getByRole('button', { name: 'Share', exact: true }).last().click()
    expect(await page.getByTestId('share-text').innerText()).toContain('Follow your bundle')
    const customer = telegram.state().people.find(({ role }) => role === 'customer')
    await page.getByRole('button', { name: `Send to ${customer?.first_name}` }).click()
    await page.getByTestId('person-customer').getByTestId('unread').waitFor()
    await page.getByTestId('person-customer').click()
    await page.getByTestId('note').getByRole('link').click()
    await log().getByText('Opened with shared by the customer').waitFor()
  })
})

describe('the people on the sandbox’s page', () => {
  test('have their own chats, and messages in another chat are counted as unread', async () => {
    await startChat()
    await say('think')
    await page.getByTestId('typing').waitFor()
    await page.getByRole('tab', { name: /^Customer/ }).click()
    await page.getByTestId('empty').waitFor()
    think.resolve()
    await page.getByRole('tab', { name: 'Reseller, 1 unread' }).click()
    await log().getByText('Thought it over').waitFor()
    expect(await page.getByTestId('unread').count()).toBe(0)
  })

  test('stay selected when the page is reloaded', async () => {
    await page.getByRole('tab', { name: /^Agent/ }).click()
    await page.reload()
    await page.getByRole('tab', { name: /^Agent/, selected: true }).waitFor()
  })
})

describe('on the sandbox’s page, with the keyboard alone,', () => {
  test('a person can start, write, choose commands, press buttons and recall a message', async () => {
    await tabTo(page.getByTestId('start'))
    await page.keyboard.press('Enter')
    await lastFromBot().getByText('Welcome').waitFor()

    await page.keyboard.type('first line')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('second line')
    await page.keyboard.press('Enter')
    await log().getByText('You said: first line\nsecond line').waitFor()

    await page.keyboard.type('/b')
    const commands = page.getByRole('listbox', { name: 'Commands' })
    await commands.getByText('/bundles').waitFor()
    expect(await commands.getByRole('option').count()).toBe(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await log().getByText('You said: /bundles').waitFor()

    await page.keyboard.press('ArrowUp')
    expect(await page.getByTestId('composer').inputValue()).toBe('/bundles')
    await page.keyboard.press('Escape')
    expect(await page.getByTestId('composer').inputValue()).toBe('')

    await tabTo(page.getByRole('button', { name: 'Count' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await log().getByText('Pressed 1 time').waitFor()
    await page.keyboard.press('Enter')
    await log().getByText('Pressed 2 times').waitFor()
  })

  test('the text field is one Tab away from the start and from a message', async () => {
    const composer = page.getByTestId('composer')
    await page.keyboard.press('Tab')
    expect(await hasFocus(composer)).toBe(true)
    await startChat()
    await lastFromBot().getByRole('button', { name: 'Count' }).focus()
    await page.keyboard.press('Tab')
    expect(await hasFocus(composer)).toBe(true)
    await lastFromBot().getByRole('button', { name: 'Count' }).focus()
    await page.keyboard.type('hello')
    expect(await composer.inputValue()).toBe('hello')
  })

  test('a person can switch to another person with the arrow keys', async () => {
    await tabTo(page.getByRole('tab', { name: /^Reseller/ }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('tab', { name: /^Agent/, selected: true }).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('tab', { name: /^Operator/, selected: true }).waitFor()
  })
})

describe('the provider on the sandbox’s page', () => {
  test('offers its credentials to the reseller, ready to be sent', async () => {
    await startChat()
    await say('API key, please')
    await page.getByRole('button', { name: 'Demo API key' }).click()
    expect(await page.getByTestId('composer').inputValue()).toBe(provider.account('dealer').apiKey)
    await page.getByTestId('account-dealer').getByText(provider.account('dealer').apiSecret).waitFor()
  })

  test('gives an account new credentials, and offers these to the reseller', async () => {
    await page.getByTestId('account-dealer').getByRole('button', { name: 'New key' }).click()
    await page.getByTestId('account-dealer').getByText('demo-dealer-key-2').waitFor()
    expect(provider.account('dealer')).toMatchObject({
      apiKey: 'demo-dealer-key-2',
      apiSecret: 'demo-dealer-secret-2',
    })
    await startChat()
    await say('API key, please')
    await page.getByRole('button', { name: 'Demo key and secret' }).click()
    expect(await page.getByTestId('composer').inputValue()).toBe('demo-dealer-key-2\ndemo-dealer-secret-2')
  })

  test('shows an order when it is placed, and changes its status at a press', async () => {
    const reference = await placeOrder()
    const order = page.getByTestId('orders').getByRole('article', { name: reference })
    await order.getByText('processing').waitFor()
    await order.getByRole('button', { name: 'Deliver' }).click()
    await order.getByText('delivered', { exact: true }).waitFor()
    expect(provider.orders()[0]?.status).toBe('delivered')
    await page.getByRole('tab', { name: 'Money' }).click()
    await page.getByTestId('transaction').getByText(reference).waitFor()
    await page.getByRole('tab', { name: 'Traffic' }).click()
    await page.getByTestId('requests').getByText('POST /order').waitFor()
  })

  test('lets its user top up a wallet and choose when orders are delivered', async () => {
    const account = page.getByTestId('account-dealer')
    const before = provider.account('dealer').balancePesewas
    await account.getByLabel('Amount in GHS').fill('12.34')
    await account.getByRole('button', { name: 'Top up' }).click()
    await vi.waitFor(() => expect(provider.account('dealer').balancePesewas).toBe(before + 1_234), soon)
    await page.getByTestId('deliver-after').selectOption('after 5 seconds')
    await vi.waitFor(() => expect(provider.settings().deliverAfterMs).toBe(5_000), soon)
  })

  test('lets its user add faults and end them', async () => {
    await page.getByRole('tab', { name: 'Faults' }).click()
    await page.getByRole('button', { name: 'Too many requests: once' }).click()
    await page.getByRole('button', { name: 'No callback: always' }).click()
    await page.getByTestId('active-faults').getByText('Too many requests').waitFor()
    await expect(placeOrder()).rejects.toThrow('429')
    await page.getByTestId('active-faults').getByText('Too many requests').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'End No callback' }).click()
    await page.getByTestId('active-fault').waitFor({ state: 'detached' })
    expect(provider.state().faults).toEqual([])
  })

  test('offers to end all faults only while there are faults', async () => {
    await page.getByRole('tab', { name: 'Faults' }).click()
    const endAll = page.getByRole('button', { name: 'End all faults' })
    expect(await endAll.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Silence: once' }).click()
    await endAll.click()
    await page.getByText('Nothing is going wrong right now.').waitFor()
    expect(await endAll.isVisible()).toBe(false)
    expect(provider.state().faults).toEqual([])
  })

  test('lets its user refuse the orders of one network', async () => {
    await page.getByRole('tab', { name: 'Faults' }).click()
    await page.getByRole('button', { name: 'Network refused: always' }).click()
    await page.getByTestId('active-fault').getByText('Network refused · always · MTN').waitFor()
    await expect(placeOrder()).rejects.toThrow('422')
    await page.getByRole('button', { name: 'End Network refused' }).click()
    await vi.waitFor(() => expect(provider.state().faults).toEqual([]), soon)
    await placeOrder()
  })

  test('lets its user order like another program, for one number or several', async () => {
    await page.getByRole('tab', { name: 'Faults' }).click()
    const form = page.getByTestId('elsewhere')
    await form.getByLabel('Bundle they order').selectOption('MTN 2GB')
    await form.getByLabel('Numbers they order for').fill('0247000001')
    await form.getByRole('button', { name: 'Order' }).click()
    await vi.waitFor(() => expect(provider.orders()).toHaveLength(1), soon)
    await form.getByLabel('Numbers they order for').fill('0247000002, 0247000003')
    await form.getByRole('button', { name: 'Order' }).click()
    await vi.waitFor(() => expect(provider.orders()).toHaveLength(2), soon)
    expect(provider.orders()).toMatchObject([
      { type: 'single', accountId: 'dealer', volume: '2GB', webhookUrl: null },
      { type: 'bulk', accountId: 'dealer', volume: '2GB', webhookUrl: null },
    ])
    expect(provider.requests()).toEqual([])
  })

  test('lets its user change one or all prices, and restore the usual ones', async () => {
    const usual = provider.bundles('dealer')
    await page.getByRole('tab', { name: 'Prices' }).click()
    const price = page.getByRole('textbox', { name: 'Price of MTN 2GB' })
    expect(await price.inputValue()).toBe('9.30')
    await price.fill('12.5')
    await price.press('Enter')
    await vi.waitFor(() => expect(provider.account('dealer').prices).toEqual({ 2: 1_250 }), soon)
    await page.getByRole('button', { name: 'Usual price of MTN 2GB' }).click()
    await vi.waitFor(async () => expect(await price.inputValue()).toBe('9.30'), soon)
    expect(provider.bundles('dealer')).toEqual(usual)
    await page.getByRole('button', { name: 'All +10%' }).click()
    await vi.waitFor(() => expect(provider.account('dealer').prices[2]).toBe(1_023), soon)
    await vi.waitFor(async () => expect(await price.inputValue()).toBe('10.23'), soon)
    await page.getByRole('button', { name: 'Usual prices' }).click()
    await vi.waitFor(() => expect(provider.account('dealer').prices).toEqual({}), soon)
    await page.getByTestId('prices-of').selectOption('Demo user')
    await vi.waitFor(async () => expect(await price.inputValue()).toBe('9.80'), soon)
  })

  test('lets its user change its refunds, request limits and clock', async () => {
    await page.getByText('More settings').click()
    await page.getByTestId('refund-after').selectOption('after 10 seconds')
    await vi.waitFor(() => expect(provider.settings().refundAfterMs).toBe(10_000), soon)
    await page.getByTestId('request-limit').selectOption('up to 5')
    await vi.waitFor(() => expect(provider.settings().limits.perMinute).toBe(5), soon)
    await page.getByTestId('provider-clock').selectOption('is 10 minutes behind')
    await vi.waitFor(() => expect(provider.settings().clockSkewMs).toBe(-600_000), soon)
  })
})

test('the sandbox’s page in a window 360 pixels wide shows the chat or the provider, without sideways scrolling', async () => {
  await page.setViewportSize({ width: 360, height: 640 })
  await startChat()
  expect(await page.getByTestId('provider').isVisible()).toBe(false)
  expect(await widthOfPage()).toBe(360)
  await page.getByRole('tab', { name: 'Provider' }).click()
  await page.getByTestId('provider').waitFor()
  expect(await page.getByTestId('composer').isVisible()).toBe(false)
  expect(await widthOfPage()).toBe(360)
})

describe.each([{ width: 360 }, { width: 1280 }])(
  'on the sandbox’s page in a window $width pixels wide',
  ({ width }) => {
    test.each(['light', 'dark'] as const)(
      'texts in %s colours have enough contrast, and buttons are large enough',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 740 })
        const look = async () => {
          expect(await page.evaluate(lowContrasts)).toEqual([])
          expect(await page.evaluate(smallTargets)).toEqual([])
        }
        await look()
        await startChat()
        await messageMenu(lastFromBot(), 'Reply')
        await look()
        await say('about this')
        await log().getByText('A reply to: Welcome').waitFor()
        await say('picture')
        await lastFromBot().getByRole('img', { name: 'One dot' }).waitFor()
        for (const style of ['primary', 'success', 'danger'] as const) {
          const chatId = Number(telegram.calls('sendMessage').at(-1)?.payload.chat_id)
          const reply_markup = { inline_keyboard: [[{ text: style, callback_data: style, style }]] }
          await bot.api.sendMessage(chatId, 'Coloured', { reply_markup })
          await lastFromBot().getByRole('button', { name: style }).hover()
          await look()
        }
        await page.getByTestId('composer').fill('/')
        await page.getByRole('listbox', { name: 'Commands' }).waitFor()
        await look()
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Attach' }).click()
        await look()
        await page.keyboard.press('Escape')
        await placeOrder()
        if (width < 860) await page.getByRole('tab', { name: 'Provider' }).click()
        await page.getByText('More settings').click()
        for (const tab of ['Orders', 'Money', 'Prices', 'Traffic', 'Faults']) {
          await page.getByRole('tab', { name: tab }).click()
          await look()
        }
        await page.emulateMedia({ colorScheme: null })
      },
    )
  },
)

test('a browser can load the modules of the sandbox’s page without a build', async () => {
  await page.goto('about:blank')
  await bot.stop()
  await telegram.stop()
  telegram = await startTelegram(0, pageSource)
  bot = await startBot()
  const loaded: string[] = []
  const note = (request: Request) => void loaded.push(new URL(request.url()).pathname)
  page.on('request', note)
  await openPage()
  page.off('request', note)
  await startChat()
  expect(loaded).toEqual(expect.arrayContaining(['/app.js', '/chat/chat.js', '/provider/provider.js']))
})

test('the sandbox’s page reconnects after its server was down', async () => {
  await startChat()
  await bot.stop()
  const port = Number(new URL(telegram.pageUrl).port)
  await telegram.stop()
  await page.getByTestId('presence').getByText('connecting…').waitFor()
  telegram = await startTelegram(port)
  bot = await startBot()
  await page.getByTestId('start').click({ timeout: 15_000 })
  await lastFromBot().getByText('Welcome').waitFor()
  faults = faults.filter((fault) => !fault.includes('ERR_'))
})

function startTelegram(port: number, dir = pageDir): Promise<TelegramSimulator> {
  return createTelegram({
    port,
    pageDir: dir,
    provider: { controlUrl: provider.controlUrl, account: 'dealer' },
  })
}

/** A bot that does a little of everything that the page shows. */
async function startBot(): Promise<Bot> {
  const tiny = new Bot(telegram.token, { client: { apiRoot: telegram.url } })
  let presses = 0
  await tiny.init()
  const link = (payload: string) => `https://t.me/${tiny.botInfo.username}?start=${payload}`
  const shared = `https://t.me/share/url?url=${encodeURIComponent(link('shared'))}&text=Follow%20your%20bundle`
  const keys = new InlineKeyboard()
    .text('Count', 'count')
    .text('Alert', 'alert')
    .text('Delete', 'delete')
    .row()
    .url('Open', link('from-button'))
    .url('Share', shared)
  const welcome = 'Welcome, <b>reseller</b>: <code>0241234567</code> &lt;img src=x onerror=alert(1)&gt;'
  tiny.command('start', async (ctx) => {
    const role = telegram.state().people.find(({ id }) => id === ctx.from?.id)?.role
    if (!ctx.match) await ctx.reply(welcome, { parse_mode: 'HTML', reply_markup: keys })
    else await ctx.reply(`Opened with ${ctx.match} by the ${role}. Next: ${link('from-text')}`)
  })
  tiny.callbackQuery('count', async (ctx) => {
    presses += 1
    await ctx.answerCallbackQuery('Counted')
    await ctx.editMessageText(`Pressed ${presses} time${presses === 1 ? '' : 's'}`, { reply_markup: keys })
  })
  tiny.callbackQuery('alert', (ctx) => ctx.answerCallbackQuery({ text: 'Mind the gap', show_alert: true }))
  tiny.callbackQuery('delete', (ctx) => ctx.deleteMessage())
  tiny.on('message:document', async (ctx) => {
    const { document, caption } = ctx.message
    const { file_path } = await ctx.getFile()
    const file = await fetch(`${telegram.url}/file/bot${telegram.token}/${file_path}`)
    const bytes = new Uint8Array(await file.arrayBuffer())
    const words = `${caption ?? 'no caption'}: ${bytes.length} bytes`
    await ctx.replyWithDocument(new InputFile(bytes, `back-${document.file_name}`), { caption: words })
  })
  tiny.on('message:contact', (ctx) => {
    const { first_name, phone_number, user_id } = ctx.message.contact
    const whose = user_id === ctx.from.id ? 'Own contact' : 'Contact'
    return ctx.reply(`${whose}: ${first_name} ${phone_number}`)
  })
  for (const kind of ['voice', 'sticker', 'location'] as const)
    tiny.on(`message:${kind}`, (ctx) => ctx.reply(`Got: ${kind}`))
  tiny.on('edited_message:text', (ctx) => ctx.reply(`Edited to: ${ctx.editedMessage.text}`))
  tiny.on('message:text', async (ctx) => {
    const { text, reply_to_message: original, forward_origin } = ctx.message
    if (text === 'think') {
      await ctx.replyWithChatAction('typing')
      await think.promise
      await ctx.reply('Thought it over')
    } else if (text === 'number') {
      const keyboard = [[{ text: 'My number', request_contact: true }]]
      const field = { one_time_keyboard: true, input_field_placeholder: 'Your number' }
      await ctx.reply('Which number?', { reply_markup: { keyboard, ...field } })
    } else if (text === 'time') {
      const time = '<tg-time unix="1647531900" format="t">some time</tg-time>'
      await ctx.reply(`At ${time}`, { parse_mode: 'HTML', disable_notification: true })
    } else if (text === 'picture') {
      await ctx.replyWithPhoto(new InputFile(Buffer.from(dot, 'base64'), 'dot.png'), { caption: 'One dot' })
    } else if (original) await ctx.reply(`A reply to: ${original.text}`)
    else await ctx.reply(`${forward_origin ? 'Forwarded' : 'You said'}: ${text}`)
  })
  tiny.catch(({ error }) => void faults.push(`bot: ${error}`))
  await tiny.api.setMyCommands([
    { command: 'start', description: 'Begin' },
    { command: 'buy', description: 'Buy a bundle' },
    { command: 'bundles', description: 'See the bundles' },
  ])
  void tiny.start()
  return tiny
}

/** Code that runs in the page. It makes the data that a browser passes on when a file is dropped. */
const fileInHand = `(() => {
  const data = new DataTransfer()
  data.items.add(new File(['0201234567 2GB'], 'list.txt', { type: 'text/plain' }))
  return data
})()`

/** A PNG of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function watch(page: Page): void {
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') faults.push(`request to ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
}

async function openPage(): Promise<void> {
  faults = []
  if (page.viewportSize()?.height !== wide.height) await page.setViewportSize(wide)
  await page.goto(telegram.pageUrl)
  await page.getByTestId('start').waitFor()
  await page.getByTestId('account-dealer').waitFor()
}

async function startChat(): Promise<void> {
  await page.getByTestId('start').click()
  await lastFromBot().getByText('Welcome').waitFor()
}

async function say(text: string): Promise<void> {
  await page.getByTestId('composer').fill(text)
  await page.getByTestId('send').click()
}

function log(): Locator {
  return page.getByTestId('log')
}

function lastFromBot(): Locator {
  return page.locator('[data-from=bot]').last()
}

/** The texts that the reseller has sent, oldest first. */
function ownTexts(): string[] {
  const reseller = telegram.state().people.find(({ role }) => role === 'reseller')
  const own = telegram.messages(reseller?.id ?? 0).filter(({ from }) => from?.is_bot === false)
  return own.map(({ text }) => text ?? '')
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((node) => node === node.ownerDocument.activeElement)
}

function lastOwn(): Locator {
  return page.locator('[data-from=person]').last()
}

/** A locator for this very message, whatever messages follow. */
async function stable(message: Locator): Promise<Locator> {
  return page.locator(`[data-message-id="${await message.getAttribute('data-message-id')}"]`)
}

async function messageMenu(message: Locator, item: string): Promise<void> {
  await message.hover()
  await message.getByRole('button', { name: 'Message menu' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Presses Tab until the control has the focus. The number of presses is limited. */
async function tabTo(control: Locator, key = 'Tab'): Promise<void> {
  for (let stop = 0; stop < 60; stop += 1) {
    if (await hasFocus(control)) return
    await page.keyboard.press(key)
  }
  throw new Error('The control cannot be reached by keyboard')
}

const Placed = z.object({ order: z.object({ reference: z.string() }) })

async function placeOrder(): Promise<string> {
  const { apiKey, apiSecret } = provider.account('dealer')
  const response = await fetch(`${provider.url}/order`, {
    method: 'POST',
    headers: { 'X-API-KEY': apiKey, 'X-API-SECRET': apiSecret, 'Content-Type': 'application/json' },
    body: JSON.stringify({ bundle_id: provider.bundles('dealer')[0]?.id, phone: '0241234567' }),
  })
  if (!response.ok) throw new Error(`The order was answered with ${response.status}`)
  const { order } = Placed.parse(await response.json())
  return order.reference
}

function widthOfPage(): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth')
}
