/**
 * Expands series of HTML character references. Each series consists of the first character's code in
 * hex, the step from each character to the next, and the names. `-` skips a character. Names are
 * lowercase, because secrets are found in any letter case.
 */
function expand(series: readonly string[]): [name: string, character: string][] {
  return series.flatMap((each) => {
    const [first = '', step, ...names] = each.split(' ');
    return names
      .map((name, index): [string, string] => {
        const code = Number.parseInt(first, 16) + Number(step) * index;
        return [name, String.fromCharCode(code)];
      })
      .filter(([name]) => name !== '-');
  });
}

/** Names that HTML also decodes without a semicolon. */
const withoutSemicolon = expand([
  '22 4 quot amp',
  '3c 2 lt gt',
  'a0 1 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest',
  'df 1 szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  'd7 1 times',
]);

/**
 * Names that HTML decodes only with a semicolon. `dash` and `hyphen` are U+2010 in HTML, but here
 * they represent the ASCII `-`, which secrets are more likely to contain.
 */
const withSemicolon = expand([
  '9 1 tab newline',
  '21 1 excl - num dollar percnt - apos lpar rpar ast plus comma dash period sol',
  '2a 3 midast hyphen',
  '3a 1 colon semi - equals - quest commat',
  '5b 1 lsqb bsol rsqb hat lowbar grave',
  '5b 2 lbrack rbrack underbar',
  '60 1 diacriticalgrave',
  '7b 1 lcub verbar rcub',
  '7b 1 lbrace vert rbrace',
  '7c 1 verticalline',
  'a0 8 nonbreakingspace die',
  'a8 1 doubledot - - - - - circledr strns - pm - - diacriticalacute - - centerdot cedilla',
  'a8 9 dot plusminus',
  'bd 58 half div',
  '101 2 amacr abreve aogon cacute ccirc cdot ccaron dcaron dstrok emacr - edot eogon ecaron gcirc gbreve gdot gcedil hcirc hstrok itilde imacr - iogon imath ijlig jcirc kcedil',
  '130 1 idot inodot',
  '138 1 kgreen',
  '13a 2 lacute lcedil lcaron lmidot lstrok nacute ncedil ncaron',
  '149 2 napos eng omacr - odblac oelig racute rcedil rcaron sacute scirc scedil scaron tcedil tcaron tstrok utilde umacr ubreve uring udblac uogon wcirc ycirc',
  '17a 2 zacute zdot zcaron',
  '3b1 1 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  '3b5 16 epsi upsi',
  '3c2 1 sigmav',
  '3c2 7 varsigma ohm',
  '3d1 1 thetasym upsih - - straightphi piv',
  '3d1 4 thetav phiv',
  '3d1 4 vartheta varphi',
  '3d6 7 varpi gammad',
  '3dd 19 digamma kappav',
  '3f0 1 varkappa rhov - - - epsiv bepsi',
  '3f1 4 varrho varepsilon',
  '3f5 1 straightepsilon backepsilon',
  'e5 1 angst',
  '430 1 acy bcy vcy gcy dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy hardcy ycy softcy ecy yucy yacy - iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy tshcy kjcy - ubrcy dzcy',
  '2013 1 ndash mdash horbar - - lsquo rsquo sbquo - ldquo rdquo bdquo - dagger - bull',
  '2026 1 hellip',
  '2039 1 lsaquo rsaquo',
  '20ac 1 euro',
  '2122 1 trade',
]);

/** Characters by lowercase reference name. */
export const htmlNames: ReadonlyMap<string, string> = new Map([
  ...withoutSemicolon,
  ...withSemicolon,
  ['fjlig', 'fj'],
]);

/** Matches a numeric character reference, or a reference with one of the names. */
export const htmlReference = new RegExp(
  `&(?:#x[\\da-f]+|#\\d+|(?:fjlig|${alternatives(withSemicolon)})(?=;)|${alternatives(withoutSemicolon)});?`,
  'gi',
);

function alternatives(names: readonly (readonly [name: string, character: string])[]): string {
  return names.map(([name]) => name).join('|');
}
