/ == calculator
/ Precedence climbing over a token list; every step returns (value;rest).
tok:{" "vs trim raze{$[x in"+-*/()";" ",x," ";x]}each x}
ops:"+-*/"!(+;-;*;%)
prec:"+-*/"!1 1 2 2
atom:{[t]$["("~first first t;{(x 0;1_x 1)}expr[1_t;1];"-"~first first t;{(neg x 0;x 1)}atom 1_t;("F"$first t;1_t)]}
step:{[m;s]o:first first s 1;r:expr[1_s 1;1+prec o];(ops[o][s 0;r 0];r 1)}
expr:{[t;m]{[m;s]$[0=count s 1;0b;(o:first first s 1)in key prec;m<=prec o;0b]}[m]step[m]/atom t}
calc:{first expr[t where 0<count each t:tok x;1]}
-1 string calc each("1+2*3";"(1+2)*3";"2*(3-4)*-5+10/4";"-(2+3)*2";"100/8/2";"7-2-1");
/ == csv
/ A hand parser that knows quotes, then typed columns.
fields:{[s]q:(sums"\""=s)mod 2;i:0,1+where(","=s)&not q;{$["\""~first x;ssr[-1_1_x;"\"\"";"\""];x]}each{$[","~last x;-1_x;x]}each i _ s}
txt:("id,name,note,price";"1,\"Smith, J\",\"said \"\"hi\"\"\",10.5";"2,Lee,,3";"3,\"O,P,Q\",x,0.25")
t:flip(`$fields txt 0)!"J**F"$'flip fields each 1_txt
-1 {"|"sv(string x`id;x`name;x`note;string x`price)}each t;
-1 string sum t`price;
/ == ini
parse1:{[s;l]$["["~first l;@[s;`cur;:;`$1_-1_l];[kv:"="vs l;.[s;(`d;s`cur);,;enlist[`$trim kv 0]!enlist trim"="sv 1_kv]]]}
lines:("[db]";"host = localhost";"; comment";"port=5010";"";"[log]";"level=debug";"fmt=a=b")
lines:lines where not(0=count each lines)|";"=first each lines
ini:(parse1/)[`cur`d!(`;`db`log!2#enlist(`$())!());lines]`d
{[k] -1 string[k],":",";"sv{string[x],"=",y}'[key ini k;value ini k];}each key ini;
/ == roman
r:`M`CM`D`CD`C`XC`L`XL`X`IX`V`IV`I!1000 900 500 400 100 90 50 40 10 9 5 4 1
toroman:{o:"";i:0;while[x>0;$[x>=v:value[r]i;[o,:string key[r]i;x-:v];i+:1]];o}
val:"IVXLCDM"!1 5 10 50 100 500 1000
unroman:{v:val x;sum v*1-2*v<1_v,0}
-1 toroman each n:1 4 9 14 40 90 400 1994 2024 3999;
-1 string n~unroman each toroman each n;
-1 string(1+til 3999)~unroman each toroman each 1+til 3999;
/ == runlength
enc:{raze{(string count x),1#x}each(where differ x)cut x}
dec:{raze{[n;c]("J"$n)#c}.'{(-1_x;last x)}each(0,1+-1_where not x in .Q.n)cut x}
s:"WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWWWWWWWWWWWWWWWWWWWWWWWBWWWWWWWWWWWWWW"
-1 enc s;
-1 string s~dec enc s;
/ == brackets
pairs:")]}"!"([{"
ok:{s:"";i:0;good:1b;while[good&i<count x;c:x i;$[c in value pairs;s,:c;c in key pairs;$[(0<count s)&(last s)~pairs c;s:-1_s;good:0b];::];i+:1];good&0=count s}
-1 string ok each("(a[b]{c})";"(]";"((";"";"x)";"{[()()]}");
/ == caesar
rot:{[n;s]u:.Q.A;l:.Q.a;(((u,l)!(n rotate u),n rotate l),(c!c:distinct s except u,l))s}
-1 rot[3]"Hello, World xyz";
-1 rot[-3]rot[3]"Hello, World xyz";
-1 {ssr/[x;("quick";"brown";"dog");("slow";"green";"snail")]}"the quick brown fox, the lazy dog";
/ == anagrams
w:string`listen`silent`enlist`google`elgoog`abc`cba`bca`xyz
g:value group asc each w
-1 {" "sv asc x}each asc w@/:g where 1<count each g;
/ == palindromes
c:{lower x where x in .Q.a,.Q.A}
p:{c[x]~reverse c x}
-1 string p each("A man, a plan, a canal: Panama";"not one";"");
-1 string last{x where{(string x)~reverse string x}each x}distinct raze{x*/:x}100+til 900;
/ == edit
/ Levenshtein by rows, with a scan along the row.
row:{[b;r;c]n:1+r 0;(n),{(x+1)&y}\[n;(1+1_r)&(-1_r)+not b=c]}
lev:{[a;b]last row[b]/[til 1+count b;a]}
-1 string lev'[("kitten";"flaw";"";"intention");("sitting";"lawn";"abc";"execution")];
/ == wrap
wrap:{[n;s]{[n;l;w]$[n>=count[last l]+1+count w;(-1_l),enlist(last l)," ",w;l,enlist w]}[n]/[enlist first w;1_w:" "vs s]}
-1 wrap[20]"the quick brown fox jumps over the lazy dog and then some more words follow here";
/ == base64
b6:.Q.A,.Q.a,.Q.n,"+/"
e64:{p:(neg count x)mod 3;s:raze 0b vs'`byte$x,p#"\000";((neg p)_b6 2 sv'6 cut s),p#"="}
d64:{s:raze{-6#0b vs x}each b6?x except"=";"c"$2 sv'8 cut(8*count[s]div 8)#s}
t:("";enlist"M";"Ma";"Man";"light work.")
-1 e64 each t;
-1 string t~d64 each e64 each t;
/ == hex
hex:{raze string"x"$x}
unhex:{"c"$"X"$'2 cut x}
-1 hex"Qolumn!";
-1 unhex hex"Qolumn!";
-1 string 16 sv"0123456789abcdef"?"deadbeef";
-1 "0123456789abcdef"16 vs 3735928559;
/ == histogram
t:lower"It was the best of times, it was the worst of times, it was the age of wisdom"
c:desc count each group t where t in .Q.a
-1 {(1#x)," ",y#"*"}'[string 5#key c;5#value c];
w:count each group`$" "vs t except","
-1 {string[x],": ",string y}'[k;w k:{x iasc x}where w>1];
/ == numbers
-1 .Q.fmt[8;2]each 3.14159 -2.5 1234.567;
commas:{reverse","sv 3 cut reverse string x}
-1 commas each 1 999 1000 1234567 1000000000;
-1 .Q.f[3]each 1.5 0.1 22.9999;
-1{-3!x}each(1 2 3;`a`b;"xy";1.5 2;0x0a0b;01b);
-1 (neg 8)$string 1 22 333;
-1 "0"^-5$string 7 42;
