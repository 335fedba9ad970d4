# ruff: noqa: E501 - each source stands in one line
"""Programs and servers that ask for more than any machine has; each is to end soon, in little memory.

``python -m tests.evaluate.bombs [NAME ...]`` runs all of them, each in a process of its own, and prints what each took.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

PROGRAMS: dict[str, str] = {
    "re cubic": "import re\nfor i in range(20000):\n    re.search('a*a*b', 'a' * 268)\nresult = 1",
    "re quartic": "import re\nfor i in range(20000):\n    re.search('a*a*a*b', 'a' * 60)\nresult = 1",
    "re options": "import re\nfor i in range(20000):\n    re.match('a?' * 22 + 'b', 'a' * 22)\nresult = 1",
    "tuple slices": "x = tuple(range(40000))\nresult = [x[i:] for i in range(40000)]",
    "doc ljust": "def f():\n    '''A.\n\n    B.'''\nresult = f.__doc__.ljust(10**10)",
    "doc replace": "def f():\n    '''A.\n\n    B.'''\nresult = (f.__doc__ * 100000).replace('', 'x' * 100000)",
    "doc replace2": "def f():\n    '''A.\n\n    BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB.'''\nx = f.__doc__\nfor i in range(40):\n    x = x.replace('B', 'BB')\nresult = x",
    "doc join": "def f():\n    '''A.\n\n    B.'''\nresult = f.__doc__.join(['x' * 1000000] * 50000)",
    "doc expandtabs": "def f():\n    '''A.\n\n    \\tB.'''\nresult = f.__doc__.expandtabs(tabsize=10**10)",
    "doc translate": "def f():\n    '''A.\n\n    B.'''\nresult = f.__doc__.translate({65: 'x' * 2000000, 66: 'y' * 2000000, 32: 'z' * 2000000})",
    "doc wrap": "import textwrap\ndef f():\n    '''A.\n\n    "
    + "b" * 1000000
    + "'''\nresult = textwrap.wrap(f.__doc__, 1)",
    "fraction exp": "from fractions import Fraction\nresult = Fraction('1e99999999')",
    "fraction tower": "from fractions import Fraction\nx = Fraction('1e999')\nfor i in range(60):\n    x = Fraction(x, x)\nresult = x",
    "decimal prec": "from decimal import Decimal\nresult = [Decimal('9' * 900) for i in range(20000)]",
    "ints in lists": "result = str([[10**1200] * 40000] * 20)",
    "repr zero bytes": "result = repr(['\\x00' * 1900000] * 4)",
    "dumps astral": "import json\nresult = json.dumps(['\\U0001f600' * 1900000] * 4)",
    "str of tuple of texts": "result = str(('a' * 1900000,) * 50000)",
    "fstring list of texts": "x = ['a' * 1000000] * 50000\nresult = f'{x}'",
    "eq text lists": "x = ['a' * 1000000] * 5\ny = ['a' * 999999 + 'a'] * 5\nfor i in range(20000):\n    x == y\nresult = 1",
    "dict key texts": "d = {}\nfor i in range(100):\n    d['a' * 1000000 + str(i)] = i\nfor i in range(20000):\n    d.get('a' * 1000000 + str(i % 100))\nresult = d",
    # growth within one call
    "sub callable": "import re\nresult = re.sub('a', lambda m: 'b' * 1000000, 'a' * 100000)",
    "sub callable small": "import re\nresult = re.sub('.', lambda m: 'bb', 'a' * 1000000)",
    "sub empty callable": "import re\nresult = re.sub('', lambda m: 'x' * 10000, 'a' * 1000000)",
    "subn callable": "import re\nresult = re.subn('a', lambda m: 'b' * 100000, 'a' * 100000)",
    "sub group refs": "import re\nresult = re.sub('(a+)', r'\\1' * 1000, 'a' * 100000)",
    "sub g refs": "import re\nresult = re.sub('(?P<x>a+)', r'\\g<x>' * 10000, 'a' * 100000)",
    "sub string empty": "import re\nresult = re.sub('', 'x' * 100000, 'a' * 100000)",
    "findall": "import re\nresult = re.findall('', 'a' * 2000000)",
    "findall groups": "import re\nresult = re.findall('(' * 40 + 'a' + ')' * 40, 'a' * 1000000)",
    "finditer": "import re\nresult = re.finditer('a', 'a' * 2000000)",
    "finditer list": "import re\nresult = [m.group() for m in re.finditer('a', 'a' * 2000000)]",
    "split": "import re\nresult = re.split('(a)', 'a' * 2000000)",
    "split many groups": "import re\nresult = re.split('((((((((((a))))))))))', 'a' * 2000000)",
    "re groups": "import re\nresult = re.match('(a)' * 90, 'a' * 90).groups()",
    "re expand": "import re\nm = re.match('(a+)', 'a' * 100000)\nresult = m.expand(r'\\1' * 100000)",
    "re escape": "import re\nresult = re.escape('.' * 2000000)",
    "re many": "import re\nfor i in range(3000):\n    re.findall('a|b', 'ab' * 100000)\nresult = 1",
    "re charclass": "import re\nresult = re.compile('[' + ''.join(chr(i) for i in range(0x100, 0x4f0)) + ']', re.I)",
    "re compile many": "import re\nfor i in range(3000):\n    re.compile('(a{1,100}b{1,100}){1,100}' + str(i))\nresult = 1",
    "re bounded repeat": "import re\nresult = re.match('(?:a{0,1000}){1000}b', 'a' * 5000)",
    "re bounded repeat big": "import re\nresult = re.compile('(?:(?:(?:a{1000}){1000}){1000}){1000}')",
    "re lookahead": "import re\nresult = re.findall('(?=(a+))', 'a' * 20000)",
    "re lookahead 2": "import re\nresult = re.findall('(?=(.*))', 'a' * 20000)",
    "re lookbehind": "import re\nresult = re.findall('(?<=a{1000})b', 'a' * 2000000)",
    "re lazy": "import re\nresult = re.match('.*?.*?.*?x', 'a' * 3000)",
    "re search dotstar": "import re\nresult = re.search('.*.*=', 'a' * 4000)",
    "re search quadratic": "import re\nresult = re.search('a*b', 'a' * 4400)",
    "re find quadratic many": "import re\nfor i in range(200):\n    re.search('a*b', 'a' * 4400)\nresult = 1",
    "re cond": "import re\nresult = re.match('(a)?' * 25 + '(?(1)b|c)', 'a' * 25)",
    "re unicode ignorecase": "import re\nresult = re.findall('(?i)ſ+', 'S' * 2000000)",
    # text
    "replace empty": "result = ('a' * 1000000).replace('', 'b' * 1000)",
    "replace chain": "x = 'a' * 2000\nfor i in range(50):\n    x = x.replace('a', 'a' * 1000)[:2000]\nresult = x",
    "split chars": "result = (',' * 2000000).split(',')",
    "splitlines": "result = ('\\n' * 2000000).splitlines()",
    "split loop": "for i in range(20000):\n    x = (',' * 40000).split(',')\nresult = x",
    "list text": "result = list('a' * 2000000)",
    "set text": "result = set('a' * 2000000)",
    "sorted text": "result = sorted('ba' * 1000000)",
    "reversed text": "result = ''.join(reversed('ba' * 1000000))",
    "enumerate": "result = list(enumerate('ba' * 1000000))",
    "zip": "result = list(zip('ba' * 1000000, 'ba' * 1000000))",
    "zip many": "x = 'ab' * 20000\nresult = list(zip(*[x] * 1000))",
    "map": "result = list(map(str, 'ba' * 1000000))",
    "map many": "x = 'ab' * 20000\nresult = list(map(lambda *a: a, *[x] * 1000))",
    "expandtabs": "result = ('\\t' * 2000).expandtabs(2000000)",
    "expandtabs kw": "result = ('\\t' * 200000).expandtabs(tabsize=200000)",
    "center kw": "result = 'a'.center(2000000000)",
    "zfill": "result = 'a'.zfill(2000000000)",
    "rjust fill": "result = 'a'.rjust(10**12, 'é')",
    "encode": "result = ('é' * 2000000).encode()",
    "encode utf32 loop": "for i in range(2000):\n    x = ('é' * 2000000).encode('utf-32')\nresult = x",
    "encode punycode": "result = ('é' * 1000000).encode('punycode')",
    "encode idna": "result = ('é' * 1000000).encode('idna')",
    "encode unicode_escape": "result = ('\\U0001F600' * 1000000).encode('unicode_escape')",
    "encode xmlcharref": "result = ('\\U0001F600' * 2000000).encode('ascii', 'xmlcharrefreplace')",
    "encode namereplace": "result = ('\\U0001F600' * 2000000).encode('ascii', 'namereplace')",
    "encode hex codec": "import codecs\nresult = codecs.encode('a' * 2000000, 'rot13')",
    "decode zip": "import zlib\nresult = zlib.decompress(zlib.compress(b'a' * 1000000000))",
    "decode punycode": "result = (b'a' * 1000000 + b'-' + b'b' * 1000000).decode('punycode')",
    "decode uu": "result = (b'x' * 2000000).decode('utf-7')",
    "bytes literal mult": "result = b'a' * 10**10",
    "bytes hex": "result = (b'a' * 2000000).hex(':')",
    "bytes split": "result = (b',' * 2000000).split(b',')",
    "bytes translate": "result = (b',' * 2000000).translate(None, b'x')",
    "bytearray": "result = bytearray(10**10)",
    "bytes of list": "result = bytes([1] * 50000) * 100000",
    "bytes fromhex": "result = bytes.fromhex('00' * 1000000)",
    "memoryview": "result = memoryview(b'a' * 2000000).tolist()",
    "translate": "result = ('a' * 2000).translate({97: 'b' * 2000000})",
    "maketrans": "result = str.maketrans('a' * 2000000, 'b' * 2000000)",
    "maketrans translate": "result = ('a' * 200000).translate(str.maketrans({'a': 'b' * 200000}))",
    "count": "for i in range(20000):\n    x = ('a' * 2000000).count('aa')\nresult = x",
    "find quadratic": "result = ('a' * 1000000 + 'b').find('a' * 500000 + 'c')",
    "find loop": "x = 'a' * 2000000\nfor i in range(20000):\n    x.find('b')\nresult = x",
    "upper loop": "x = 'a' * 2000000\nfor i in range(20000):\n    x.upper()\nresult = x",
    "upper eszett": "x = 'ß' * 2000000\nfor i in range(3):\n    x = x.upper() + x.upper()\nresult = x",
    "upper expand": "x = 'ΐ' * 2000000\nresult = x.upper()",
    "title loop": "x = 'a b ' * 500000\nfor i in range(2000):\n    x.title()\nresult = x",
    "isidentifier loop": "x = 'a' * 2000000\nfor i in range(2000):\n    x.isidentifier()\nresult = x",
    "strip loop": "x = ' ' * 2000000 + 'x'\nfor i in range(20000):\n    x.strip()\nresult = x",
    "slice loop": "x = 'a' * 2000000\nfor i in range(20000):\n    y = x[1:]\nresult = x",
    "slice tower": "x = 'a' * 2000000\nresult = [x[i:] for i in range(40000)]",
    "keep texts": "x = 'a' * 1900000\nresult = [x + str(i) for i in range(5000)]",
    "keep fstrings": "x = 'a' * 1900000\nresult = [f'{x}{i}' for i in range(5000)]",
    "keep slices of slices": "x = 'a' * 1900000\ny = []\nfor i in range(20000):\n    y.append(x[i:])\nresult = y",
    "keep upper": "x = 'a' * 1900000\nresult = [x.upper() for i in range(5000)]",
    "compare texts": "x = 'a' * 2000000\ny = 'a' * 1999999 + 'b'\nfor i in range(20000):\n    x == y\nresult = x",
    "in text": "x = 'a' * 2000000\nfor i in range(20000):\n    'b' in x\nresult = x",
    "hash texts": "x = 'a' * 2000000\nfor i in range(20000):\n    {x + 'b': 1}\nresult = x",
    "add texts loop": "x = 'a' * 1000000\nfor i in range(20000):\n    x + 'b'\nresult = x",
    "mult texts loop": "for i in range(20000):\n    x = 'a' * 2000000\nresult = x",
    "str repr": "x = '\\x00' * 2000000\nresult = repr(x)",
    "repr chain": "x = '\\\\'\nfor i in range(40):\n    x = repr(x)\nresult = x",
    "ascii": "result = ascii('é' * 2000000)",
    "format repeat": "result = ('{0}' * 100000).format('a' * 2000000)",
    "format field nested": "result = '{0:{1}}'.format('a', 10**9)",
    "format map": "result = ('{a}' * 100000).format_map({'a': 'b' * 100000})",
    "format spec zeros": "result = format(1, '0100000000d')",
    "format precision": "result = '{:.100000000f}'.format(1.0)",
    "format int base": "result = format(1 << 4000, 'b') * 100000",
    "fstring spec var": "w = 10**9\nresult = f'{1:{w}}'",
    "fstring spec nested": "w = 10**9\nresult = f'{1.0:.{w}f}'",
    "fstring tower 2": "x = 'ab' * 1000\nfor i in range(60):\n    x = f'{x!r}{x!r}'\nresult = x",
    "percent star": "result = '%*d' % (10**9, 1)",
    "percent dict": "result = '%(a)s' * 100000 % {'a': 'x' * 100000}",
    "percent s many": "result = ('%s' * 10000) % (('x' * 100000,) * 10000)",
    "percent c": "result = '%1000000000c' % 'a'",
    "percent bytes": "result = b'%1000000000d' % 1",
    "join list": "x = 'a' * 1000000\nresult = ''.join([x] * 50000)",
    "join gen": "x = 'a' * 1000000\nresult = ''.join(x for i in range(50000))",
    "join sep": "result = ('a' * 1000000).join([''] * 50000)",
    "template": "from string import Template\nresult = Template('$a' * 1000).substitute(a='b' * 1000000)",
    "template safe": "from string import Template\nresult = Template('${a}' * 100000).safe_substitute({'a': 'b' * 1000000})",
    "capwords": "import string\nresult = string.capwords('a ' * 1000000)",
    # textwrap
    "textwrap fill": "import textwrap\nresult = textwrap.fill('a ' * 900000, 1)",
    "textwrap wrap": "import textwrap\nresult = textwrap.wrap('a' * 2000000, 1)",
    "textwrap indent": "import textwrap\nresult = textwrap.indent('a\\n' * 900000, 'x' * 1000000)",
    "textwrap dedent": "import textwrap\nresult = textwrap.dedent(' ' * 1000 + ('\\n' + ' ' * 1000) * 1900)",
    "textwrap dedent 2": "import textwrap\nresult = textwrap.dedent(' \\n' * 1000000)",
    "textwrap dedent loop": "import textwrap\nx = '  a\\n' * 400000\nfor i in range(1000):\n    y = textwrap.dedent(x)\nresult = y",
    "textwrap shorten": "import textwrap\nresult = textwrap.shorten('a ' * 1000000, 10**9)",
    "textwrap initial": "import textwrap\nresult = textwrap.fill('a b', 1, subsequent_indent='x' * 1000000)",
    "cleandoc": "import inspect\nresult = inspect.cleandoc('a\\n' + ' \\n' * 900000)",
    "cleandoc loop": "import inspect\nx = 'a\\n' + '  b\\n' * 400000\nfor i in range(1000):\n    y = inspect.cleandoc(x)\nresult = y",
    "getdoc loop": "import inspect\ndef f():\n    pass\nf.__doc__ = 'a\\n' + '  b\\n' * 400000\nfor i in range(1000):\n    y = inspect.getdoc(f)\nresult = y",
    # numbers
    "power": "result = (7 ** 1000) ** 1000",
    "power mod": "result = pow(3, 10**1000, 7**1400)",
    "pow mod many": "x = 3\nfor i in range(20000):\n    x = pow(3, 7**1400, 7**1400 + 2)\nresult = x",
    "pow neg": "result = pow(3, -1, 7**1400)",
    "shift": "result = 1 << (1 << 40)",
    "shift tower": "x = 1\nfor i in range(20):\n    x = x << 4000 >> 3999\nresult = x",
    "factorial": "import math\nresult = math.factorial(10**6)",
    "comb": "import math\nresult = math.comb(10**6, 5*10**5)",
    "perm": "import math\nresult = math.perm(10**6)",
    "isqrt": "import math\nresult = math.isqrt(10**100000)",
    "prod": "import math\nresult = math.prod(range(1, 50000))",
    "lcm": "import math\nresult = math.lcm(*range(1, 50000))",
    "fsum": "import math\nresult = math.fsum([1e308] * 50000)",
    "int digits": "result = int('1' * 4300)",
    "int base": "result = int('f' * 2000000, 16)",
    "int base 36": "result = int('z' * 2000000, 36)",
    "int bytes": "result = int.from_bytes(b'a' * 2000000, 'big')",
    "to_bytes": "result = (1).to_bytes(10**10, 'big')",
    "str huge": "result = str(1 << 4000) * 10**6",
    "hex": "result = hex(1 << 4000)",
    "float": "result = float('1' * 2000000)",
    "float digits": "result = float('1' * 2000000 + 'e-2000000')",
    "round huge": "result = round(10 ** 1000, -10 ** 18)",
    "divmod huge": "result = divmod(10 ** 1200, 3)",
    "fraction": "from fractions import Fraction\nresult = Fraction('1e1000000')",
    "fraction2": "from fractions import Fraction\nx = Fraction(1, 3)\nfor i in range(60):\n    x = x * x\nresult = x",
    "decimal": "from decimal import Decimal\nresult = int(Decimal('1e1000000000'))",
    "decimal power": "from decimal import Decimal\nresult = Decimal(7) ** Decimal(10**9)",
    "decimal format": "from decimal import Decimal\nresult = format(Decimal('1e100000000'), 'f')",
    "sum ranges": "result = sum(range(10**12))",
    "min range": "result = min(range(10**12))",
    "in range": "result = 10**11 in range(10**12)",
    "in range float": "result = 1.5 in range(10**12)",
    "range index": "result = range(10**12).index(10**11)",
    "range count": "result = range(10**12).count('x')",
    "range slice": "result = list(range(10**12)[::10**3])",
    "any": "result = any(x > 10**9 for x in range(10**10))",
    "all range": "result = all(range(1, 10**10))",
    "max key": "result = max(range(10**9), key=lambda x: -x)",
    "random": "import random\nresult = random.sample(range(10**9), 10**8)",
    "date range": "from datetime import date, timedelta\nresult = [date(1,1,1) + timedelta(i) for i in range(10**7)]",
    "timedelta mult": "from datetime import timedelta\nresult = timedelta(1) * 10**1000",
    "strftime": "from datetime import datetime\nresult = datetime(2020,1,1).strftime('%A' * 400000)",
    "uuid": "import uuid\nresult = [uuid.uuid5(uuid.NAMESPACE_DNS, str(i)) for i in range(10**6)]",
    "hashlib": "import hashlib\nfor i in range(20000):\n    x = hashlib.sha256(b'a' * 2000000).hexdigest()\nresult = x",
    "pbkdf2": "import hashlib\nresult = hashlib.pbkdf2_hmac('sha256', b'a', b'b', 10**9)",
    "base64": "import base64\nresult = base64.b64encode(b'a' * 2000000)",
    "base85 loop": "import base64\nfor i in range(2000):\n    x = base64.b85encode(b'a' * 2000000)\nresult = x",
    # containers
    "list mult": "x = [0] * 50000\nresult = [x * 1 for i in range(1000)]",
    "list mult keep": "result = [[0] * 50000 for i in range(50000)]",
    "tuple mult": "result = tuple([(0,) * 50000 for i in range(5000)])",
    "dict fromkeys": "result = dict.fromkeys(range(10**9))",
    "dict comp": "result = {i: 'x' * i for i in range(50000)}",
    "set comp": "result = {'x' * i for i in range(50000)}",
    "list comp texts": "result = ['x' * i for i in range(50000)]",
    "dict update": "d = {}\nfor i in range(10**6):\n    d.update({str(i): d.copy()})\nresult = d",
    "dict merge tower": "d = {1: 1}\nfor i in range(60):\n    d = {**d, **{(i, k): v for k, v in d.items()}}\nresult = d",
    "dict or": "d = {i: i for i in range(20000)}\nfor i in range(20000):\n    d = d | d\nresult = d",
    "list copy loop": "x = [0] * 50000\nfor i in range(20000):\n    y = x[:]\nresult = y",
    "list concat loop": "x = [0] * 40000\nfor i in range(20000):\n    y = x + [1]\nresult = y",
    "list insert": "x = []\nfor i in range(20000):\n    x.insert(0, x[:])\nresult = x",
    "list sort loop": "x = list(range(40000))\nfor i in range(2000):\n    x.sort(key=lambda v: -v)\nresult = x",
    "list sort texts": "x = ['a' * 1000000 + str(i) for i in range(200)]\nfor i in range(2000):\n    x.sort(reverse=True)\nresult = x",
    "list remove": "x = list(range(40000))\nfor i in range(40000):\n    x.remove(39999 - i)\nresult = x",
    "list index": "x = list(range(40000))\nfor i in range(20000):\n    x.index(39999)\nresult = x",
    "in list": "x = list(range(40000))\nfor i in range(20000):\n    -1 in x\nresult = x",
    "in list of lists": "x = [[0] * 100 for i in range(400)]\nfor i in range(20000):\n    [1] in x\nresult = x",
    "list compare": "x = list(range(40000))\ny = list(range(40000))\nfor i in range(20000):\n    x == y\nresult = x",
    "list del": "x = list(range(50000))\nwhile x:\n    del x[0]\nresult = x",
    "list pop0": "x = list(range(50000))\nwhile x:\n    x.pop(0)\nresult = x",
    "slice assign": "x = [1]\nfor i in range(60):\n    x[1:1] = x\nresult = x",
    "slice assign step": "x = list(range(40000))\nfor i in range(20000):\n    x[::2] = x[1::2]\nresult = x",
    "iadd self": "x = [1]\nfor i in range(60):\n    x += x\nresult = x",
    "imul": "x = [1]\nfor i in range(60):\n    x *= 10\nresult = x",
    "nested list comp": "result = [[i * j for j in range(1000)] for i in range(1000)]",
    "comp conditions": "result = [1 for a in range(1000) for b in range(1000) if a == b == -1]",
    "gen sum": "result = sum(1 for a in range(10**5) for b in range(10**5))",
    "product": "from itertools import product\nresult = list(product('ab', repeat=40))",
    "product next": "from itertools import product\nresult = next(product(*[range(10**9)] * 10))",
    "product many": "from itertools import product\nresult = [1 for _ in product(range(100), repeat=5)]",
    "combinations r": "from itertools import combinations_with_replacement as c\nresult = list(c(range(100), 50))",
    "chain": "from itertools import chain\nresult = list(chain.from_iterable([range(10**6)] * 10**4))",
    "chain star": "from itertools import chain\nresult = list(chain(*[range(40000)] * 1000))",
    "cycle": "from itertools import cycle\nresult = list(cycle('ab'))",
    "accumulate": "from itertools import accumulate\nresult = list(accumulate(['a'] * 50000))",
    "accumulate lists": "from itertools import accumulate\nresult = list(accumulate([[1]] * 40000))",
    "groupby": "from itertools import groupby\nresult = [list(g) for k, g in groupby('a' * 2000000)]",
    "tee": "from itertools import tee\nresult = tee(range(10**6), 10**6)",
    "zip_longest": "from itertools import zip_longest\nresult = list(zip_longest(*[range(i) for i in range(5000)]))",
    "starmap": "from itertools import starmap\nresult = list(starmap(lambda *a: a, [range(1000)] * 10000))",
    "pairwise": "from itertools import pairwise\nresult = list(pairwise(range(10**7)))",
    "batched": "from itertools import batched\nresult = list(batched(range(10**7), 3))",
    "reduce": "from functools import reduce\nresult = reduce(lambda a, b: a + a, range(100), [1])",
    "reduce text": "from functools import reduce\nresult = reduce(lambda a, b: a + b, ['a' * 1000] * 40000)",
    "reduce mul": "from functools import reduce\nimport operator\nresult = reduce(operator.mul, range(1, 40000))",
    "partial tower": "from functools import partial\nf = print\nfor i in range(20000):\n    f = partial(f, 1)\nresult = f",
    "partial args": "from functools import partial\nf = partial(print, 1)\nfor i in range(60):\n    f = partial(f, *f.args)\nresult = f",
    "counter": "from collections import Counter\nresult = Counter('ab' * 1000000)",
    "counter elements": "from collections import Counter\nresult = list(Counter(a=10**9).elements())",
    "deque": "from collections import deque\nresult = deque(range(10**9), maxlen=10)",
    "chainmap": "from collections import ChainMap\nm = ChainMap({})\nfor i in range(20000):\n    m = m.new_child({i: i})\nresult = dict(m)",
    "defaultdict": "from collections import defaultdict\nt = lambda: defaultdict(t)\nx = t()\ny = x\nfor i in range(20000):\n    y = y[i]\nresult = x",
    "namedtuple": "from collections import namedtuple\nresult = namedtuple('T', ['a%d' % i for i in range(40000)])",
    "namedtuple many": "from collections import namedtuple\nresult = [namedtuple('T', 'a b c') for i in range(20000)]",
    "json loads deep": "import json\nresult = json.loads('[' * 900000 + ']' * 900000)",
    "json loads deep 500": "import json\nresult = json.loads('[' * 900 + ']' * 900)",
    "json loads wide": "import json\nresult = json.loads('[' + '1,' * 900000 + '1]')",
    "json loads wide dict": "import json\nresult = json.loads('{' + '\"a\":1,' * 300000 + '\"b\":1}')",
    "json loads nested wide": "import json\nresult = json.loads('[' + '[1,1,1,1,1,1],' * 120000 + '1]')",
    "json loads int": "import json\nresult = json.loads('9' * 1000000)",
    "json loads loop": "import json\nfor i in range(5000):\n    x = json.loads('[' + '1,' * 40000 + '1]')\nresult = x",
    "json dumps indent": "import json\nx = []\nfor i in range(50):\n    x = [x, x]\nresult = json.dumps(x, indent=1000000)",
    "json dumps indent text": "import json\nresult = json.dumps([[[[[[1]]]]]] * 10000, indent='x' * 100000)",
    "json dumps texts": "import json\nresult = json.dumps(['a' * 1000000] * 50000)",
    "json dumps escapes": "import json\nresult = json.dumps('\\U0001f600' * 2000000)",
    "json dumps big keys": "import json\nresult = json.dumps({'a' * 1000000: 1, 'b' * 1000000: 1}) * 10",
    "json dumps separators": "import json\nresult = json.dumps([1] * 50000, separators=('x' * 1000000, ':'))",
    "json roundtrip": "import json\nx = [1] * 40000\nfor i in range(5000):\n    x = json.loads(json.dumps(x))\nresult = x",
    "json string tower": "import json\nx = '\"'\nfor i in range(60):\n    x = json.dumps(x)\nresult = x",
    "literal_eval": "import ast\nresult = ast.literal_eval('[' * 90 + ']' * 90)",
    "literal_eval wide": "import ast\nresult = ast.literal_eval('[' + '1,' * 900000 + ']')",
    "eval": "result = eval('1+' * 100000 + '1')",
    "yaml": "import yaml\nresult = yaml.safe_load('a: &a [x]\\n' + ''.join(f'b{i}: &b{i} [*a, *a]\\n' for i in range(60)))",
    "tomllib": "import tomllib\nresult = tomllib.loads('a = ' + '[' * 10000 + ']' * 10000)",
    "pickle": "import pickle\nresult = pickle.loads(pickle.dumps([1] * 50000))",
    "unicodedata normalize": "import unicodedata\nresult = unicodedata.normalize('NFKD', '\\ufdfa' * 2000000)",
    "unicodedata loop": "import unicodedata\nfor i in range(2000):\n    x = unicodedata.normalize('NFC', 'a\\u0301' * 1000000)\nresult = x",
    "unicodedata marks": "import unicodedata\nresult = unicodedata.normalize('NFD', 'a' + '\\u0301\\u0327' * 500000)",
    "html": "import html\nresult = html.escape('<' * 2000000)",
    "html unescape": "import html\nresult = html.unescape('&lt;' * 500000)",
    "shlex": "import shlex\nresult = shlex.split('a ' * 1000000)",
    "shlex join": "import shlex\nresult = shlex.join(['a b'] * 50000)",
    "urllib quote": "from urllib.parse import quote\nresult = quote('é' * 2000000)",
    "urllib parse_qs": "from urllib.parse import parse_qs\nresult = parse_qs('a=1&' * 500000)",
    "urlparse loop": "from urllib.parse import urlparse\nfor i in range(20000):\n    x = urlparse('http://' + 'a' * 1000000)\nresult = x",
    "pathlib": "from pathlib import Path\nx = Path('a')\nfor i in range(20000):\n    x = x / ('a' * 1000)\nresult = str(x)",
    "pathlib parts": "from pathlib import Path\nresult = Path('a/' * 900000).parts",
    "pathlib glob": "from pathlib import Path\nresult = list(Path('/').rglob('*'))",
    "pathlib iter": "from pathlib import Path\nresult = [p.read_text() for p in Path('/proc').iterdir()]",
    "os path join": "import os\nresult = os.path.join(*['a' * 1000] * 40000)",
    "os walk": "import os\nresult = [x for x in os.walk('/')]",
    "glob": "import glob\nresult = glob.glob('/**/*', recursive=True)",
    "open zero": "result = open('/dev/zero').read()",
    "difflib": "import difflib\nresult = list(difflib.unified_diff(['a'] * 50000, ['b'] * 50000))",
    "fnmatch": "import fnmatch\nresult = fnmatch.fnmatch('a' * 30000, '*a' * 400 + 'b')",
    "fnmatch filter": "import fnmatch\nresult = fnmatch.filter(['a' * 3000] * 50000, '*a*b')",
    "string formatter": "import string\nresult = string.Formatter().format('{0:{1}}', 'a', 10**9)",
    "struct": "import struct\nresult = struct.pack('1000000000x')",
    "struct unpack": "import struct\nresult = struct.unpack('2000000b', b'a' * 2000000)",
    "array": "import array\nresult = array.array('b', [0]) * 10**10",
    "zlib": "import zlib\nresult = zlib.decompress(b'x')",
    "copy deep": "import copy\nx = [0] * 40000\nfor i in range(5000):\n    y = copy.deepcopy(x)\nresult = y",
    "deepcopy texts": "import copy\nx = {str(i): ['a'] * 100 for i in range(400)}\nfor i in range(5000):\n    y = copy.deepcopy(x)\nresult = y",
    "dataclasses": "from dataclasses import dataclass, asdict, field\n@dataclass\nclass C:\n    a: list = field(default_factory=lambda: [C()])\nresult = asdict(C())",
    "make_dataclass": "from dataclasses import make_dataclass\nresult = make_dataclass('C', ['a%d' % i for i in range(40000)])",
    "enum functional": "from enum import Enum\nresult = Enum('E', ['a%d' % i for i in range(40000)])",
    "enum iterate": "from enum import Enum\nE = Enum('E', ['a%d' % i for i in range(4000)])\nresult = [[m.value for m in E] for i in range(1000)]",
    "enum class": "from enum import Enum\nclass E(Enum):\n"
    + "".join(f"    A{i} = {i}\n" for i in range(20000))
    + "result = [e.value for e in E]",
    "type many": "result = [type('C', (), {}) for i in range(20000)]",
    "shared sides": "import os\nclass C:\n    def __init__(self): self.name = 'c'\nx, y = C(), C()\n"
    + "".join(f"x, y = (x if os.environ.get('A{i}') else y), (y if os.environ.get('B{i}') else x)\n" for i in range(60))
    + "result = [1 if x is None else 2, 1 if x else 2, x.name, x()]",
    "type tower": "C = object\nfor i in range(3000):\n    C = type('C', (C,), {})\nresult = C().x",
    "mro": "class A: pass\n"
    + "".join(f"class B{i}(A): pass\n" for i in range(300))
    + "class Z("
    + ",".join(f"B{i}" for i in range(300))
    + "): pass\nresult = Z().x",
    "mro tower": "class A0: pass\nclass B0: pass\n"
    + "".join(f"class A{i + 1}(A{i}, B{i}): pass\nclass B{i + 1}(A{i}, B{i}): pass\n" for i in range(200))
    + "result = A200().x",
    "class in loop": "for i in range(5000):\n    class C:\n        a = [1] * 1000\n        def f(self): pass\nresult = C",
    "lambda defaults": "f = lambda: 1\nfor i in range(20000):\n    f = lambda g=f: g\nresult = f()",
    "kwargs many": "def f(**k): return k\nresult = f(**{'a%d' % i: i for i in range(40000)})",
    "kwargs loop": "def f(**k): return k\nd = {'a%d' % i: i for i in range(20000)}\nfor i in range(5000):\n    f(**d)\nresult = 1",
    "args loop": "def f(*a): return a\nd = [0] * 40000\nfor i in range(5000):\n    f(*d)\nresult = 1",
    "closure many": "result = [lambda x=[0] * 1000: x for i in range(20000)]",
    "nested functions": "def f(n):\n    def g():\n        return f(n + 1) if n < 50 else 1\n    return [g(), g()]\nresult = f(0)",
    "generator product": "def g(n):\n    for i in range(10):\n        if n:\n            yield from g(n - 1)\n        else:\n            yield i\nresult = list(g(8))",
    "generator list": "def g():\n    for i in range(10**7):\n        yield [0] * 1000\nresult = list(g())",
    "exceptions": "x = 0\nwhile True:\n    try:\n        raise ValueError('a' * 1000000)\n    except ValueError as e:\n        x += 1\nresult = x",
    "exception chain": "e = None\nfor i in range(20000):\n    e = ValueError(e)\nresult = str(e)",
    "str of nested": "x = 'a' * 1000000\nresult = str([x] * 50000)",
    "repr of nested": "x = ['a' * 1000] * 40000\nresult = repr([x] * 1000)",
    "fstring of list": "x = ['a' * 1000] * 40000\nresult = f'{[x] * 1000}'",
    "percent of list": "x = ['a' * 1000] * 40000\nresult = '%s' % [[x] * 1000]",
    "pprint": "import pprint\nx = ['a' * 1000] * 40000\nresult = pprint.pformat([x] * 1000)",
    "print": "x = 'a' * 2000000\nfor i in range(100000):\n    print(x)\nresult = x",
    "logging": "import logging\nfor i in range(10**9):\n    logging.info('x')\nresult = 1",
    "sys recursion": "import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nresult = f()",
    "globals loop": "for i in range(20000):\n    globals()['a%d' % i] = [0] * 1000\nresult = 1",
    "setattr many": "class C: pass\nc = C()\nfor i in range(20000):\n    setattr(c, 'a%d' % i, [0] * 1000)\nresult = vars(c)",
    "vars loop": "class C: pass\nc = C()\nfor i in range(2000):\n    setattr(c, 'a%d' % i, vars(c).copy())\nresult = 1",
    "dir loop": "class C: pass\nc = C()\nfor i in range(2000):\n    setattr(c, 'a%d' % i, dir(c))\nresult = 1",
    "unknown branches merge": "import os\nx = {}\n"
    + "".join(f"if os.getenv('{i}'):\n    x = {{**x, 'a{i}': [x]}}\n" for i in range(60))
    + "result = x",
    "unknown in big list": "import os\nx = [0] * 40000\nfor i in range(2000):\n    x[int(os.getenv('A'))] = i\nresult = x",
    "unknown branch big list": "import os\nx = [0] * 40000\n"
    + "".join(f"if os.getenv('{i}'):\n    x.append({i})\n" for i in range(500))
    + "result = x",
    "unknown branch big dict": "import os\nx = {i: [i] for i in range(10000)}\n"
    + "".join(f"if os.getenv('{i}'):\n    x[{i}].append({i})\n" for i in range(500))
    + "result = x",
    "unknown nested loops big": "import os\nx = {i: [i] for i in range(10000)}\n"
    + "".join(f"for a in os.environ:\n    x[{i}].append(a)\n" for i in range(200))
    + "result = x",
    "unknown while big": "import os\nx = [0] * 40000\nwhile os.getenv('x'):\n    x.append(x[:])\nresult = x",
    "try big": "import os\nx = [0] * 40000\n"
    + "".join(f"try:\n    x.append(os.environ['{i}'])\nexcept KeyError:\n    x.pop()\n" for i in range(300))
    + "result = x",
    "alias unknown call": "import os, lib\nx = [[i] for i in range(40000)]\nfor i in range(2000):\n    lib.f(x)\nresult = x",
    "star unpack": "a, *b = range(10**9)\nresult = b",
    "star unpack loop": "x = [0] * 40000\nfor i in range(20000):\n    a, *b = x\nresult = b",
    "match big": "x = [0] * 40000\nfor i in range(20000):\n    match x:\n        case [a, *b]:\n            pass\nresult = b",
    "match mapping": "x = {i: i for i in range(40000)}\nfor i in range(20000):\n    match x:\n        case {1: a, **b}:\n            pass\nresult = b",
    "set ops": "x = set(range(40000))\nfor i in range(20000):\n    y = x | x\nresult = y",
    "set ops2": "x = set(range(40000))\nfor i in range(20000):\n    y = x.symmetric_difference(range(40000))\nresult = y",
    "frozenset tower": "x = frozenset()\nfor i in range(3000):\n    x = frozenset([x])\nresult = x",
    "dict views": "x = {i: i for i in range(40000)}\nfor i in range(20000):\n    y = list(x.items())\nresult = y",
    "dict views eq": "x = {i: i for i in range(40000)}\nfor i in range(20000):\n    y = x.keys() == x.keys()\nresult = y",
    "dict eq": "x = {i: [i] for i in range(20000)}\ny = {i: [i] for i in range(20000)}\nfor i in range(20000):\n    x == y\nresult = 1",
    "tuple keys": "x = tuple(range(40000))\nd = {}\nfor i in range(5000):\n    d[x + (i,)] = 1\nresult = d",
    "tuple hash loop": "x = tuple(range(40000))\nfor i in range(20000):\n    x in {}\nresult = 1",
    "range lists": "result = [list(range(40000)) for i in range(40000)]",
    "enumerate dict": "result = dict(enumerate(range(10**9)))",
    "source list literal": "result = [" + "0," * 400000 + "]",
    "source dict literal": "result = {" + "".join(f"'k{i}': {i}," for i in range(200000)) + "}",
    "source strings": "result = [" + "".join(f"'k{i}'," for i in range(200000)) + "]",
    "source call args": "result = print(" + "0," * 200000 + ")",
    "source functions": "".join(f"def f{i}(): return {i}\n" for i in range(50000)) + "result = f1()",
    "source classes": "".join(f"class C{i}: x = {i}\n" for i in range(30000)) + "result = C1.x",
    "source assigns": "".join(f"x{i} = {i}\n" for i in range(200000)) + "result = x1",
    "source ifs": "import os\n" + "".join(f"if os.getenv('a{i}'): x{i} = {i}\n" for i in range(50000)) + "result = 1",
    "source long string": "result = '" + "a" * 10_000_000 + "'",
    "source long name": "a" * 2_000_000 + " = 1\nresult = 1",
    "source long int": "result = " + "0x" + "f" * 4_000_000,
    "source long decimal": "result = " + "9" * 4000,
    "source implicit concat": "result = (" + "'a' " * 300000 + ")",
    "source fstring parts": "x = 1\nresult = f'" + "{x}" * 200000 + "'",
    "source decorators": "def d(f): return f\n" + "@d\n" * 3000 + "def f(): pass\nresult = f",
    "source params": "def f(" + ",".join(f"a{i}=0" for i in range(50000)) + "): return a1\nresult = f()",
    "source comprehension nest": "result = " + "[" * 60 + "1" + "".join(f" for a{i} in range(2)]" for i in range(60)),
    "source comprehension fors": "result = [1" + "".join(f" for a{i} in range(2)" for i in range(60)) + "]",
    "source boolop": "x = 1\nresult = " + " and ".join(["x"] * 50000),
    "source compare": "x = 1\nresult = " + " <= ".join(["x"] * 50000),
    "source semicolons": ";".join(["x=1"] * 300000) + "\nresult = x",
    "source comments": "# a\n" * 1_000_000 + "result = 1",
    "source blank": "\n" * 4_000_000 + "result = 1",
    "source match cases": "import os\nx = os.getenv('a')\nmatch x:\n"
    + "".join(f"    case '{i}':\n        y = {i}\n" for i in range(20000))
    + "result = 1",
    "source elifs": "import os\nx = os.getenv('a')\nif x == '': y = 0\n"
    + "".join(f"elif x == '{i}': y = {i}\n" for i in range(90))
    + "result = 1",
    "source with": "import contextlib\n"
    "with " + ", ".join(["contextlib.suppress()"] * 20000) + ":\n    x = 1\nresult = x",
    "source try many": "".join(f"try:\n    x = {i}\nexcept Exception:\n    pass\n" for i in range(40000))
    + "result = x",
    "source globals": "def f():\n"
    + "".join(f"    global g{i}\n    g{i} = {i}\n" for i in range(20000))
    + "f()\nresult = g1",
    "source star imports": "from os import *\n" * 20000 + "result = 1",
    "source imports": "".join(f"import m{i}\n" for i in range(50000)) + "result = 1",
    "source dotted": "import " + ".".join(["a"] * 5000) + "\nresult = 1",
    "source dict nest": "result = " + "{'a': " * 80 + "1" + "}" * 80,
    "source dict refs": "x0 = {'a': 1}\n"
    + "".join(f"x{i + 1} = {{'a': x{i}, 'b': x{i}}}\n" for i in range(60))
    + "result = x60",
}
FAST = "from mcp.server.fastmcp import FastMCP\nfrom typing import Any, Annotated, Callable, Generic, List, Literal, NamedTuple, NewType, Optional, Protocol, TypedDict, TypeVar, Union\nfrom pydantic import BaseModel, Field, RootModel, create_model, constr\nmcp = FastMCP('x')\n"
LOW = "from mcp.server import Server\nfrom mcp.types import Tool\nserver = Server('x')\n"


def fast(before: str, signature: str) -> str:
    return FAST + before + f"\n@mcp.tool()\ndef f({signature}) -> str:\n    '''Do it.'''\n"


def low(before: str, tools: str) -> str:
    return LOW + before + f"\n@server.list_tools()\nasync def tools():\n    return {tools}\n"


T = "Tool(name='a', description='A', inputSchema={})"
SERVERS: dict[str, str] = {
    "literal": fast("", "x: Literal[" + ",".join(f"'m{i}'" for i in range(100000)) + "]"),
    "literal ints": fast("", "x: Literal[" + ",".join(map(str, range(100000))) + "]"),
    "literal built": fast("L = Literal[tuple(str(i) for i in range(40000))]", "x: L"),
    "literal 5000 x 100": fast(
        "L = Literal["
        + ",".join(f"'m{i}'" for i in range(5000))
        + "]\n"
        + "".join(f"@mcp.tool()\ndef g{i}(x: L): 'd'\n" for i in range(100)),
        "x: int",
    ),
    "union wide": fast("", "x: Union[" + ",".join(f"Annotated[int, {i}]" for i in range(20000)) + "]"),
    "union pipes": fast("", "x: " + " | ".join(["int", "str"] * 20000)),
    "union models": fast(
        "".join(f"class M{i}(BaseModel):\n    a: int\n" for i in range(3000)),
        "x: Union[" + ",".join(f"M{i}" for i in range(3000)) + "]",
    ),
    "union literals": fast("", "x: Union[" + ",".join(f"Literal['a{i}']" for i in range(20000)) + "]"),
    "list deep": fast("", "x: " + "list[" * 80 + "int" + "]" * 80),
    "list deep 2000": fast("", "x: " + "list[" * 2000 + "int" + "]" * 2000),
    "list deep alias": fast("L0 = int\n" + "".join(f"L{i + 1} = list[L{i}]\n" for i in range(3000)), "x: L3000"),
    "dict tower alias": fast(
        "L0 = int\n" + "".join(f"L{i + 1} = dict[str, Union[L{i}, list[L{i}]]]\n" for i in range(60)), "x: L60"
    ),
    "tuple tower alias": fast("L0 = int\n" + "".join(f"L{i + 1} = tuple[L{i}, L{i}]\n" for i in range(60)), "x: L60"),
    "tuple wide": fast("", "x: tuple[" + ",".join(["int"] * 50000) + "]"),
    "optional tower": fast("", "x: " + "Optional[" * 80 + "int" + "]" * 80),
    "annotated many": fast("", "x: Annotated[int, " + ",".join(["Field(gt=1)"] * 5000) + "]"),
    "annotated tower": fast(
        "L0 = int\n" + "".join(f"L{i + 1} = Annotated[L{i}, Field(description='x' * 1000)]\n" for i in range(1000)),
        "x: L1000",
    ),
    "enum big": fast(
        "import enum\nclass E(enum.Enum):\n" + "".join(f"    A{i} = 'v{i}'\n" for i in range(50000)), "x: E"
    ),
    "enum functional": fast("import enum\nE = enum.Enum('E', {f'a{i}': i for i in range(40000)})", "x: E"),
    "model fields": fast("class M(BaseModel):\n" + "".join(f"    a{i}: int\n" for i in range(20000)), "x: M"),
    "model fields default": fast(
        "class M(BaseModel):\n"
        + "".join(f"    a{i}: list[int] = Field(default_factory=list, description='x' * 1000)\n" for i in range(5000)),
        "x: M",
    ),
    "model tower": fast(
        "class M0(BaseModel):\n    a: int\n"
        + "".join(f"class M{i + 1}(BaseModel):\n    a: M{i}\n    b: M{i}\n" for i in range(500)),
        "x: M500",
    ),
    "model tower deep 3000": fast(
        "class M0(BaseModel):\n    a: int\n"
        + "".join(f"class M{i + 1}(BaseModel):\n    a: M{i}\n" for i in range(3000)),
        "x: M3000",
    ),
    "model inherit": fast(
        "class M0(BaseModel):\n    a: int\n" + "".join(f"class M{i + 1}(M{i}):\n    a{i}: int\n" for i in range(600)),
        "x: M600",
    ),
    "model cyclic": fast(
        "class A(BaseModel):\n    b: 'list[A]'\n    c: 'dict[str, Union[A, list[A], tuple[A, A]]]'\n", "x: A"
    ),
    "model mutual": fast(
        "".join(
            f"class M{i}(BaseModel):\n" + "".join(f"    a{j}: 'Optional[M{j}]' = None\n" for j in range(60))
            for i in range(60)
        ),
        "x: M0",
    ),
    "model defaults huge": fast(
        "class M(BaseModel):\n    a: list[int] = [0] * 40000\n    b: str = 'x' * 2000000\n", "x: M"
    ),
    "model in 200 tools": fast(
        "class M(BaseModel):\n"
        + "".join(f"    a{i}: int = Field(1, description='{'x' * 50}')\n" for i in range(500))
        + "".join(f"@mcp.tool()\ndef g{i}(x: M): 'd'\n" for i in range(200)),
        "x: int",
    ),
    "generic models": fast(
        "T = TypeVar('T')\nclass G(BaseModel, Generic[T]):\n    a: T\n    b: list[T]\nL0 = int\n"
        + "".join(f"L{i + 1} = G[L{i}]\n" for i in range(200)),
        "x: L200",
    ),
    "generic tower": fast(
        "T = TypeVar('T')\nclass G(BaseModel, Generic[T]):\n    a: 'Optional[G[list[T]]]' = None\n", "x: G[int]"
    ),
    "typeddict": fast("class D(TypedDict):\n" + "".join(f"    a{i}: int\n" for i in range(20000)), "x: D"),
    "namedtuple": fast("class D(NamedTuple):\n" + "".join(f"    a{i}: int\n" for i in range(10000)), "x: D"),
    "dataclass": fast(
        "from dataclasses import dataclass\n@dataclass\nclass D:\n" + "".join(f"    a{i}: int\n" for i in range(10000)),
        "x: D",
    ),
    "params": fast("", ",".join(f"a{i}: int = 0" for i in range(5000))),
    "params 250": fast(
        "".join(
            f"@mcp.tool()\ndef g{i}(" + ",".join(f"a{j}: int = 0" for j in range(250)) + "): 'd'\n" for i in range(100)
        ),
        "x: int",
    ),
    "tools 20000": FAST + "".join(f"@mcp.tool()\ndef f{i}(a: int):\n    'Do {i}.'\n" for i in range(20000)),
    "tools loop": FAST + "def f(a: int):\n    'd'\nfor i in range(20000):\n    mcp.add_tool(f, name=str(i))\n",
    "tools loop models": FAST
    + "class M(BaseModel):\n"
    + "".join(f"    a{i}: int\n" for i in range(300))
    + "def f(a: M):\n    'd'\nfor i in range(2000):\n    mcp.add_tool(f, name=str(i))\n",
    "docstring huge": FAST + "@mcp.tool()\ndef f(a: int):\n    '''" + "word " * 2_000_000 + "'''\n",
    "docstring args": FAST
    + "@mcp.tool()\ndef f(a: int):\n    '''D.\n\n    Args:\n"
    + "        a: x\n" * 200_000
    + "    '''\n",
    "docstring args spaces": FAST
    + "@mcp.tool()\ndef f(a: int):\n    '''D.\n\n    Args:\n"
    + "        a ("
    + " " * 200_000
    + "\n    '''\n",
    "docstring colons": FAST + "@mcp.tool()\ndef f(a: int):\n    '''" + ":param " * 200_000 + "'''\n",
    "docstring numpy": FAST
    + "@mcp.tool()\ndef f(a: int):\n    '''D\n\n    Parameters\n    ----------\n"
    + "    a : int\n" * 100_000
    + "    '''\n",
    "docstring sentences": FAST + "@mcp.tool()\ndef f(a: int):\n    '''" + "A. " * 500_000 + "'''\n",
    "docstring dots": FAST + "@mcp.tool()\ndef f(a: int):\n    '''" + "." * 1_000_000 + "'''\n",
    "docstring backticks": FAST + "@mcp.tool()\ndef f(a: int):\n    '''" + "`" * 1_000_000 + "'''\n",
    "docstring parens": FAST + "@mcp.tool()\ndef f(a: int):\n    '''" + "(" * 500_000 + "e.g. " * 100_000 + "'''\n",
    "description huge": low("", "[Tool(name='a', description='x' * 2000000, inputSchema={})]"),
    "description 2000 tools": low(
        "D = 'word ' * 100000", "[Tool(name='a%d' % i, description=D, inputSchema={}) for i in range(2000)]"
    ),
    "schema shared tower": low(
        "s = {}\nfor i in range(40):\n    s = {'a': s, 'b': s}", "[Tool(name='a', description='A', inputSchema=s)]"
    ),
    "schema shared tools": low(
        "s = {'type': 'object', 'properties': {f'p{i}': {'type': 'string', 'description': 'x' * 100} for i in range(1000)}}",
        "[Tool(name='a%d' % i, description='A', inputSchema=s) for i in range(2000)]",
    ),
    "schema deep": low(
        "s = {}\nfor i in range(5000):\n    s = {'properties': {'a': s}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema deep 400": low(
        "s = {}\nfor i in range(400):\n    s = {'properties': {'a': s}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema refs": low(
        "s = {'$defs': {f'd{i}': {'$ref': f'#/$defs/d{i+1}'} for i in range(5000)}, 'properties': {'a': {'$ref': '#/$defs/d0'}}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema ref tower": low(
        "s = {'type': 'object', '$defs': {f'd{i}': {'type': 'object', 'properties': {'a': {'$ref': f'#/$defs/d{i+1}'}, 'b': {'$ref': f'#/$defs/d{i+1}'}}} for i in range(60)}, 'properties': {'a': {'$ref': '#/$defs/d0'}}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema ref anyOf tower": low(
        "s = {'type': 'object', '$defs': {f'd{i}': {'anyOf': [{'$ref': f'#/$defs/d{i+1}'}, {'$ref': f'#/$defs/d{i+1}'}]} for i in range(60)}, 'properties': {'a': {'$ref': '#/$defs/d0'}}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema ref loop": low(
        "s = {'type': 'object', '$defs': {'a': {'anyOf': [{'$ref': '#/$defs/a'}, {'$ref': '#/$defs/b'}]}, 'b': {'anyOf': [{'$ref': '#/$defs/a'}, {'$ref': '#/$defs/b'}]}}, 'properties': {'a': {'$ref': '#/$defs/a'}}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema enum": low(
        "s = {'properties': {'a': {'enum': [str(i) for i in range(40000)]}}}",
        "[Tool(name='a%d' % i, description='A', inputSchema=s) for i in range(50)]",
    ),
    "schema properties": low(
        "s = {'properties': {str(i): {'type': 'string'} for i in range(40000)}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "schema pattern": low(
        "s = {'properties': {'a': {'type': 'string', 'pattern': '(a+)+$', 'default': 'a' * 40 + 'b'}}}",
        "[Tool(name='a', description='A', inputSchema=s)]",
    ),
    "low 20000 tools": LOW
    + "@server.list_tools()\nasync def tools():\n    return [\n"
    + "".join(
        f"        Tool(name='t{i}', description='Do {i}.', inputSchema={{'type': 'object'}}),\n" for i in range(20000)
    )
    + "    ]\n",
    "low servers 300": LOW
    + "".join(
        f"s{i} = Server('s{i}')\n@s{i}.list_tools()\nasync def tools{i}():\n    return [{T}]\n" for i in range(300)
    ),
    "low append loop": low(
        "", "x\n".replace("x", "[Tool(name=str(i), description='A', inputSchema={}) for i in range(10**6)]")
    ),
    "fast docs in loop": FAST
    + "def d(f):\n    f.__doc__ = f.__doc__ * 2\n    return f\n@mcp.tool()\n"
    + "@d\n" * 60
    + "def f(a: int):\n    'd'\n",
    "field examples": fast("", "x: int = Field(1, examples=list(range(40000)), json_schema_extra={'a': [0] * 40000})"),
    "field pattern": fast("", "x: str = Field('a', pattern='(a+)+$' * 1000)"),
    "field pattern default": fast("", "x: str = Field('" + "a" * 40 + "b', pattern='^(a+)+$')"),
    "constr": fast("", "x: constr(min_length=10**9, max_length=10**1000)"),
    "default huge int": fast("", "x: int = 10 ** 1200"),
    "default nested": fast("d = []\nfor i in range(3000):\n    d = [d]", "x: list = d"),
    "default shared": fast("d = []\nfor i in range(40):\n    d = [d, d]", "x: list = d"),
    "create_model": FAST
    + "M = create_model('M', **{f'a{i}': (int, 1) for i in range(5000)})\n@mcp.tool()\ndef f(x: M):\n    'd'\n",
    "create_model loop": FAST
    + "M = int\nfor i in range(500):\n    M = create_model('M%d' % i, a=(M, ...), b=(list[M], ...))\n@mcp.tool()\ndef f(x: M):\n    'd'\n",
    "rootmodel tower": fast(
        "class M0(RootModel[int]): pass\n"
        + "".join(f"class M{i + 1}(RootModel[list[M{i}]]): pass\n" for i in range(500)),
        "x: M500",
    ),
    "discriminated": fast(
        "".join(f"class M{i}(BaseModel):\n    k: Literal['k{i}']\n" for i in range(1500))
        + "U = Annotated[Union["
        + ",".join(f"M{i}" for i in range(1500))
        + "], Field(discriminator='k')]",
        "x: U",
    ),
    "type alias recursion": fast("J = Union[int, 'list[J]', 'dict[str, J]']", "x: J"),
    "newtype tower": fast(
        "L0 = int\n" + "".join(f"L{i + 1} = NewType('L{i + 1}', L{i})\n" for i in range(2000)), "x: L2000"
    ),
    "string annotation": fast("", "x: '" + "list[" * 150 + "int" + "]" * 150 + "'"),
    "string annotation long": fast("", "x: '" + "int | " * 50000 + "int'"),
    "callable types": fast("", "x: Callable[[" + ",".join(["int"] * 20000) + "], int]"),
    "return type tower": fast(
        "L0 = int\n" + "".join(f"L{i + 1} = dict[str, L{i}]\n" for i in range(90)), "x: int"
    ).replace("-> str", "-> L90"),
    "return union models": fast(
        "".join(f"class M{i}(BaseModel):\n    a: int\n" for i in range(2000)), "x: int"
    ).replace("-> str", "-> Union[" + ",".join(f"M{i}" for i in range(2000)) + "]"),
    "unhashable": fast("", "x: Literal[" + "[" * 80 + "]" * 80 + "]"),
    # a tree has a node for every two bytes
    "dense numbers": FAST + "x = [" + "1," * 1_900_000 + "]\n",
    "dense numbers, few": FAST + "x = [" + "1," * 63_000 + "]\n",
    "dense lines": FAST + "x\n" * 1_900_000,
    "dense lines, few": FAST + "x\n" * 31_000,
    "dense statements": FAST + "x;" * 1_900_000 + "x\n",
    "dense imports, few": FAST + "import a\n" * 31_000,
    "dense fields of text": FAST + "x = f'" + "{a}" * 1_200_000 + "'\n",
    "dense fields of text, few": FAST + "x = f'" + "{a}" * 31_000 + "'\n",
    "dense carriage returns": FAST + "x\r" * 1_900_000,
    "dense branches, few": FAST + "if x:\n x\n" * 12_000,
    "protocol": fast("class P(Protocol):\n" + "".join(f"    a{i}: int\n" for i in range(20000)), "x: P"),
}


SECONDS, MEGABYTES = 10.0, 550
"""The process that goes off is a copy of one with 134 MB; a command takes 500 at most, of which it begins with 60."""


def took(names: Iterable[str]) -> Iterator[tuple[str, float, int, str]]:
    """What each bomb takes in a process of its own: processor time, the most memory in megabytes, and how it ended."""
    _warm()
    gc.freeze()
    for name in names:
        ours, theirs = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(ours)
            _explode(name, theirs)
        os.close(theirs)
        with os.fdopen(ours, "rb") as stream:
            told = stream.read()
        _, status = os.waitpid(pid, 0)
        seconds, megabytes, said = json.loads(told) if told else (2 * SECONDS, 0, f"killed: {status}")
        yield name, seconds, megabytes, said


def _warm() -> None:
    """Import what all of them need."""
    from tests.support.program import evaluate_program

    evaluate_program("import copy, itertools, json, os, re, textwrap\nresult = str(1)\n")
    with tempfile.TemporaryDirectory() as folder:
        _extract(Path(folder), fast("", "a: int"))


def _extract(folder: Path, source: str) -> str:
    from pdmigrate.inventory.extract import extract

    (folder / "server.py").write_text(source, encoding="utf-8")
    return f"{sum(len(server.tools) for server in extract(folder).servers)} tools"


def _explode(name: str, out: int) -> None:
    from pdmigrate.errors import SourceError
    from tests.support.program import evaluate_program

    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (int(2 * SECONDS), int(2 * SECONDS)))
    started = time.process_time()
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = PROGRAMS.get(name)
            said = (
                _extract(Path(folder), SERVERS[name])
                if program is None
                else type(evaluate_program(program + "\n")).__name__
            )
    except SourceError as error:
        said = str(error.code)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the other process is told
        said = f"mistake: {type(error).__name__}: {error}"
    words = Path("/proc/self/status").read_text(encoding="utf-8").split()
    most = int(words[words.index("VmHWM:") + 1]) // 1024
    os.write(out, json.dumps([time.process_time() - started, most, said[:200]]).encode())
    os._exit(0)


if __name__ == "__main__":
    for row in took(sys.argv[1:] or [*PROGRAMS, *SERVERS]):
        sys.stdout.write("{1:6.2f} s {2:5} MB  {0}: {3}\n".format(*row))
        sys.stdout.flush()
