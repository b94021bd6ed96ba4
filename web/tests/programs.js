// Programs of students, made by dice: code that looks like homework, in Python and in Java, and ways to disguise a copy.

/** @typedef {(sides: number) => number} Roll */
/** @typedef {{ kind: string, parts: any[] }} Statement */

const NOUNS = 'account balance amount total price order item customer ledger rate limit score index record entry batch window buffer result count offset margin factor queue node depth'.split(' ');
const VERBS = 'update compute load merge filter apply check collect convert find group parse rank reduce report scan settle sort split transfer validate'.split(' ');

/** @template T @param {Roll} roll @param {T[]} list */
const pick = (roll, list) => list[roll(list.length)];

/** @param {Roll} roll @param {number} depth @returns {Statement} */
function statement(roll, depth) {
  const word = () => pick(roll, NOUNS);
  const number = () => String(roll(90) + 2);
  const kind = pick(roll, depth > 1 ? ['set', 'add', 'call', 'append'] : ['set', 'set', 'add', 'call', 'append', 'if', 'if', 'for', 'for', 'while', 'ifelse', 'try']);
  const body = () => Array.from({ length: 1 + roll(3) }, () => statement(roll, depth + 1));
  switch (kind) {
    case 'set': return { kind, parts: [word(), word(), pick(roll, ['+', '-', '*', '%']), roll(2) === 0 ? word() : number(), roll(3)] };
    case 'add': return { kind, parts: [word(), word(), number(), roll(3)] };
    case 'call': return { kind, parts: [`${pick(roll, VERBS)}_${word()}`, Array.from({ length: 1 + roll(3) }, word)] };
    case 'append': return { kind, parts: [`${word()}s`, word(), word(), roll(2)] };
    case 'if': return { kind, parts: [word(), pick(roll, ['<', '>', '<=', '==', '!=']), number(), word(), roll(3), body()] };
    case 'ifelse': return { kind, parts: [word(), pick(roll, ['<', '>', '>=']), word(), body(), body()] };
    case 'for': return { kind, parts: [word(), `${word()}s`, roll(2), body()] };
    case 'while': return { kind, parts: [word(), number(), word(), body()] };
    default: return { kind, parts: [body(), word(), number()] };
  }
}

/** @typedef {{ name: string, parameters: string[], body: Statement[], result: string, note: string }} Function_ */

/** @param {Roll} roll @param {number} many @returns {Function_[]} */
export function program(roll, many) {
  return Array.from({ length: many }, () => ({
    name: `${pick(roll, VERBS)}_${pick(roll, NOUNS)}`, parameters: [...new Set([pick(roll, NOUNS), `${pick(roll, NOUNS)}s`, pick(roll, NOUNS)])].slice(0, 1 + roll(3)),
    body: Array.from({ length: 4 + roll(5) }, () => statement(roll, 0)), result: pick(roll, NOUNS), note: `${pick(roll, VERBS)} the ${pick(roll, NOUNS)} of every ${pick(roll, NOUNS)}`,
  }));
}

/** @param {Statement} s @param {string} pad @returns {string[]} */
function python({ kind, parts: p }, pad) {
  const deeper = (/** @type {Statement[]} */ body) => body.flatMap((s) => python(s, `${pad}    `));
  switch (kind) {
    case 'set': return [p[4] === 0 ? `${pad}${p[0]} = (${p[1]} ${p[2]} ${p[3]}) // 2` : p[4] === 1 ? `${pad}${p[0]} = ${p[1]} ${p[2]} ${p[3]}` : `${pad}${p[0]} = max(${p[1]}, ${p[3]}) ${p[2]} 1`];
    case 'add': return [p[3] === 0 ? `${pad}${p[0]} += ${p[1]}` : p[3] === 1 ? `${pad}${p[0]} += ${p[1]} * ${p[2]}` : `${pad}${p[0]} -= ${p[2]}`];
    case 'call': return [`${pad}${p[0]}(${p[1].join(', ')})`];
    case 'append': return [p[3] === 0 ? `${pad}${p[0]}.append((${p[1]}, ${p[2]}))` : `${pad}${p[0]} = [${p[1]} for ${p[1]} in ${p[0]} if ${p[1]} > ${p[2]}]`];
    case 'if': return [p[4] === 0 ? `${pad}if ${p[0]} ${p[1]} ${p[2]}:` : p[4] === 1 ? `${pad}if ${p[0]} ${p[1]} ${p[2]} and ${p[3]} is not None:` : `${pad}if not ${p[3]} or ${p[0]} ${p[1]} ${p[2]}:`, ...deeper(p[5])];
    case 'ifelse': return [`${pad}if ${p[0]} ${p[1]} ${p[2]}:`, ...deeper(p[3]), `${pad}else:`, ...deeper(p[4])];
    case 'for': return [p[2] === 0 ? `${pad}for ${p[0]} in ${p[1]}:` : `${pad}for at, ${p[0]} in enumerate(${p[1]}):`, ...deeper(p[3])];
    case 'while': return [`${pad}while ${p[0]} < ${p[1]}:`, ...deeper(p[3]), `${pad}    ${p[0]} += 1`];
    default: return [`${pad}try:`, ...deeper(p[0]), `${pad}except ValueError:`, `${pad}    ${p[1]} = ${p[2]}`];
  }
}

/** @param {Statement} s @param {string} pad @returns {string[]} */
function java({ kind, parts: p }, pad) {
  const deeper = (/** @type {Statement[]} */ body) => body.flatMap((s) => java(s, `${pad}    `));
  switch (kind) {
    case 'set': return [`${pad}int ${p[0]} = ${p[4] === 0 ? `(${p[1]} ${p[2]} ${p[3]}) / 2` : p[4] === 1 ? `${p[1]} ${p[2]} ${p[3]}` : `Math.max(${p[1]}, ${p[3]}) ${p[2]} 1`};`];
    case 'add': return [`${pad}${p[0]} ${p[3] === 2 ? '-=' : '+='} ${p[3] === 1 ? `${p[1]} * ${p[2]}` : p[3] === 0 ? p[1] : p[2]};`];
    case 'call': return [`${pad}${p[0].replace(/_(.)/g, (/** @type {string} */ _, /** @type {string} */ c) => c.toUpperCase())}(${p[1].join(', ')});`];
    case 'append': return [p[3] === 0 ? `${pad}${p[0]}.add(new Entry(${p[1]}, ${p[2]}));` : `${pad}${p[0]}.removeIf(${p[1]} -> ${p[1]} > ${p[2]});`];
    case 'if': return [`${pad}if (${p[0]} ${p[1]} ${p[2]}${p[4] === 1 ? ` && ${p[3]} != null` : p[4] === 2 ? ` || ${p[3]} == null` : ''}) {`, ...deeper(p[5]), `${pad}}`];
    case 'ifelse': return [`${pad}if (${p[0]} ${p[1]} ${p[2]}) {`, ...deeper(p[3]), `${pad}} else {`, ...deeper(p[4]), `${pad}}`];
    case 'for': return [p[2] === 0 ? `${pad}for (int ${p[0]} : ${p[1]}) {` : `${pad}for (int at = 0; at < ${p[1]}.size(); at++) {`, ...deeper(p[3]), `${pad}}`];
    case 'while': return [`${pad}while (${p[0]} < ${p[1]}) {`, ...deeper(p[3]), `${pad}    ${p[0]}++;`, `${pad}}`];
    default: return [`${pad}try {`, ...deeper(p[0]), `${pad}} catch (NumberFormatException e) {`, `${pad}    ${p[1]} = ${p[2]};`, `${pad}}`];
  }
}

const CAMEL = (/** @type {string} */ name) => name.replace(/_(.)/g, (_, c) => c.toUpperCase());

/** @param {Function_[]} functions @param {'python' | 'java'} language @param {string} type  the name of the class, in Java */
export function written(functions, language, type) {
  if (language === 'python') {
    return functions.map((f) => `def ${f.name}(${f.parameters.join(', ')}):\n    """${f.note[0].toUpperCase()}${f.note.slice(1)}."""\n${f.body.flatMap((s) => python(s, '    ')).join('\n')}\n    return ${f.result}\n`).join('\n\n');
  }
  const methods = functions.map((f) => `    /** ${f.note}. */\n    static int ${CAMEL(f.name)}(${f.parameters.map((p) => (p.endsWith('s') ? `List<Integer> ${p}` : `int ${p}`)).join(', ')}) {\n${f.body.flatMap((s) => java(s, '        ')).join('\n')}\n        return ${f.result};\n    }\n`);
  return `public class ${type} {\n${methods.join('\n')}}\n`;
}

/** Other names for what a student has named: the easiest disguise. @param {string} code @param {Roll} roll */
export function renamed(code, roll) {
  const others = new Map(NOUNS.map((noun) => [noun, `${pick(roll, NOUNS).slice(0, 3)}${roll(9)}`]));
  return code.replace(/\b[a-z]+\b/g, (word) => others.get(word) ?? (others.has(word.replace(/s$/, '')) ? `${others.get(word.replace(/s$/, ''))}s` : word));
}

/** Lines of no use here and there: the second disguise. @param {string} code @param {Roll} roll */
export function padded(code, roll) {
  return code.split('\n').flatMap((line) => {
    const found = /^( +)\S.*([;)\d])$/.exec(line);
    if (found === null || roll(9) > 0) return [line];
    return [line, line.endsWith(';') ? `${found[1]}System.out.println("here " + ${roll(90)});` : `${found[1]}print("here", ${roll(90)})`];
  }).join('\n');
}

const TOKEN = /#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"[^"\n]*"|'[^'\n]*'|[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|[^\s\p{L}\p{N}_]/gu;
const WORDS = new Set('def return for in if else while try except not or and is None import from as print public class static int new null catch void for'.split(' '));

/** Tokens with their places in UTF-16 units: names, numbers and strings alike, comments dropped. @param {string} code @returns {{ kind: string, from: number, to: number }[]} */
export function tokens(code) {
  const all = [];
  for (const match of code.matchAll(TOKEN)) {
    const [text] = match;
    if (/^(#|\/\/|\/\*|""")/.test(text)) continue;
    const kind = /^["']/.test(text) ? 'string' : /^\d/.test(text) ? 'number' : /^[\p{L}_]/u.test(text) && !WORDS.has(text) ? 'name' : text;
    all.push({ kind, from: match.index, to: match.index + text.length });
  }
  return all;
}
