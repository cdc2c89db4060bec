import { test } from 'vitest'
import { allEndWell, newCrew, newResellers, orderAll, workerOf } from '../accounts/crew.ts'

test('behind a pooler in transaction mode each purchase is debited and reported once, even if the worker is killed', {
  tags: ['pooler'],
}, async (context) => {
  const crew = await newCrew(context, { pooler: true }, 2)
  const { world } = crew
  const resellers = await newResellers(crew, 3)
  const before = await orderAll(resellers, 2)
  await allEndWell(crew, resellers, before)
  const killed = await world.until(() => workerOf(crew), 'a process to work')
  await killed.kill()
  const another = () => {
    const worker = workerOf(crew)
    return worker && worker !== killed
  }
  await world.until(another, 'the other one to work')
  const after = await orderAll(resellers, 1)
  const phones = resellers.map((_, index) => [before, after].flatMap((each) => each[index] ?? []))
  await allEndWell(crew, resellers, phones)
})
