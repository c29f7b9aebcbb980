"""How an English spelling of a name sounds, roughly: letters to phones, by rule.

Only what other scripts need is told apart. Vowels keep their letter where the usual
transcriptions go by spelling. A phone is one of:

- consonants as IPA writes them, but T D (thin, then), N (sing), S Z (shoe, vision), C J (chin,
  jam), and q, a k that is spelt ck;
- short vowels a e i o u, U (good), a- e- o- (unstressed, spelt so), i+ (a final y);
- long vowels A I O W (father, see, law, moon), Y (you); ei ai oi au ou;
- ar or er ir ur (before no vowel), and ar- er- or- (unstressed at the end).
"""

from __future__ import annotations

import re
from functools import cache

from ...text.normalize import strip_accents

_CLASSES = {"V": "[aeiouy]", "C": "[b-df-hj-np-tv-xz]"}

# letters[.what follows][!what stands before]=phones; V is a vowel, C a consonant, ^ $ are the
# ends of the word; the first rule that fits is taken
_RULES = """
aa=A aer.V=ei,r ae=e aigh=ei air=e,r ai=ei are.$=e,r arr.V=a,r,r ar.$!VC=ar- ar.V=a,r ar=ar augh=O
auer=au,er- au=O awr=O,r aw=O ay=ei all.$=O,l al.k=O alm=A,m alt=O,l,t alth=O,l,T
a.C$!V[a-z]*C=a- a.Cs$!V[a-z]*C=a- a.Ce$=ei a.Ces$=ei a.tion=ei a.Cie$=ei a.C[io]n$=ei a.Cey$=ei
a.cey=ei a.$=a- an.$!V[a-z]*C=a-,n an.$!Vi=a-,n ah.$=a- a=a
bb=b,b b.$!m= b=b
cch.V=k,k ch.[rl]=k cque=k ck=q chae=k,ai ch=C cc.[ei]=k,s cc=k,k c.[eiy]=s c=k
dge=J dg=J dd=d,d dt.$=t d=d
eaux=ou eau=ou ear.C=er ear.$=i,a- ead.$=e,d eah=a- ea.$=i,a- ea=I eer=i,a- ee=I eigh=ei eil=I,l
eith=I,T ei=ai eu.[rm]=y,O eu=Y ew=Y eyer=ai,er- ey.$=i+ ey=ei err.V=e,r,r er.V=e,r
er.s$!V[a-z]*C=er- er.$!V[a-z]*C=er- er=er ez.$=e,s eh=ei es.$!V[nmkvd]=z es.$!Cl=z ed.$!VC=d
el.$!VC=e-,l en.$!VC[a-z]?=e-,n en.$!VC=e-,n e.$!V[a-z]*C= e=e
ff=f,f f=f
gh.V!^=g ght.$=t gh= gg=g,g ge.$=J gn.$=n ge.[no]=J gue.$=g gu.[ei]=g gia=J,a gio=J,o gi.n=J,i
gy=J,i g=g
h.C!V= h.$!V= h=h
igh=ai ier.$=i,a- ierr=i,e,r,r iel=i,e-,l ie.$=i+ ie=I ir.V=i,r ir=ir ine.$!VC=I,n ice.$!VC=i,s
ia.$=i,a- ill=i,l,l i.Ce$=ai i.Ces$=ai i.$=i+ i=i
j=J
kn.V!^=n kk=k,k kh=k k=k
ll=l,l l=l
mac.C!^=m,a,k mc.C!^=m,a,k mcg!^=m,a,g mck!^=m,a,k mc!^=m,a,k mm=m,m mb.$=m m=m
ng.$=N ng.C=N nn=n,n n=n
oa=ou oe.$=ou ohn=o,n oh=ou oi=oi oor=or oo.k=U oo=W ough=O ould=U,d our=or ou=W owe.[lr]=au
ow.$=ou ow.le=ou ow.e=ou ow.[nd]=au ow=au oy=oi ore.$=or or.V=o,r or.$!V[a-z]*C=or- or=or
ol.[dt]=ou,l o.Ce$=ou o.Ces$=ou o.$=ou on.$!V[a-z]*C=o-,n o=o
ph=f pp=p,p p=p
que.$=k qu=k,w q=k
rrh=r rh=r rr=r,r r=r
sch.[aeiou]=S sch=S scl=s,l sc.[eiy]=s sh=S ssi=S,i ss=s,s se.$!V=z se.$!r=s s.$![aiousx]=s
se.$=z s.$=z sm.$=z,m s=s
tch=C tth=T th=T tion=S,o-,n tt=t,t tz=t,s t=t
uay=w,ai ue.$=W ui.C=i ur.V=u,r urr.V=u,r,r ur=ur uy=ai u.Ce$=W u.CV=W u.$=W u=u
vv=v,v v=v
wh=w wr.V!^=r w.C= w=w
x.$=k,s x.V!^=z x=k,s
yer=ai,er- yr.V=i,r y.V=y y.Ce$=ai y.$!^C=ai y.$!^CC=ai y.$=i+ y=i
zz=t,s z=z
'=
"""


_WHOLE = str.maketrans(
    {"’": "'", "æ": "ae", "ð": "d", "ł": "l", "ø": "o", "œ": "oe", "ß": "ss", "þ": "th"}
)
"""Letters that Unicode does not take apart."""


def sounds(word: str) -> tuple[str, ...]:
    """The phones of one word; letters without a rule (digits, other scripts) give none."""
    text = strip_accents(word.lower().translate(_WHOLE))
    phones: list[str] = []
    at = 0
    while at < len(text):
        size, found = next(
            (
                (len(letters), heard)
                for letters, before, after, heard in _rules().get(text[at], ())
                if text.startswith(letters, at)
                and after.match(text, at + len(letters))
                and before.search(text[:at])
            ),
            (1, ()),
        )
        phones += found
        at += size
    return tuple(phones)


@cache
def _rules() -> dict[str, list[tuple[str, re.Pattern[str], re.Pattern[str], tuple[str, ...]]]]:
    """The rules by their first letter, in order: letters, before, after, phones."""
    table: dict[str, list[tuple[str, re.Pattern[str], re.Pattern[str], tuple[str, ...]]]] = {}
    for rule in _RULES.split():
        spelt, _, heard = rule.partition("=")
        spelt, _, before = spelt.partition("!")
        letters, _, after = spelt.partition(".")
        phones = tuple(phone for phone in heard.split(",") if phone)
        row = letters, _pattern(before, end=True), _pattern(after), phones
        table.setdefault(letters[0], []).append(row)
    return table


def _pattern(short: str, *, end: bool = False) -> re.Pattern[str]:
    """What stands after some letters, or (`end`) before them."""
    long = "".join(_CLASSES.get(char, char) for char in short)
    return re.compile(f"(?:{long})$" if end and short else long)
