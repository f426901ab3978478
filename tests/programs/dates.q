/ == leap
leap:{(0=x mod 4)&(0<>x mod 100)|0=x mod 400}
-1 string leap each 1900 2000 2023 2024 2100;
-1 string{366=(-).(`date$`month$12*x-1999 2000)}each 2023 2024;
-1 string sum leap 1900+til 201;
/ == easter
easter:{[y]a:y mod 19;b:y div 100;c:y mod 100;d:b div 4;e:b mod 4;f:(b+8)div 25;g:(1+b-f)div 3;
  h:((19*a)+b+15-d+g)mod 30;i:c div 4;k:c mod 4;l:(32+(2*e)+(2*i)-h+k)mod 7;m:(a+(11*h)+22*l)div 451;
  n:h+l+114-7*m;"D"$"."sv(string y;-2#"0",string n div 31;-2#"0",string 1+n mod 31)}
-1 string easter each 1961 2000 2008 2011 2024 2038;
/ == monthends
me:{-1+`date$1+`month$x}
-1 string me 2023.01.15 2024.02.01 2023.12.31 2000.02.29;
-1 string{distinct`month$x}2024.01.30+til 40;
-1 string value count each group`month$2024.01.01+til 91;
/ == weekdays
d:2024.03.01+til 31
bd:{x where 1<x mod 7}
-1 string count bd d;
-1 string first bd reverse d;
addbd:{[d;n]n{{x+1}/[{2>x mod 7};x+1]}/d}
-1 string addbd[2024.03.28]each 1 2 5 10;
hol:2024.03.29 2024.04.01
-1 string{{x+1}/[{(x in hol)|2>x mod 7};x+1]}/[2;2024.03.28];
/ == isoweek
iso:{t:x+3-(x-2)mod 7;j:`date$`month$12*-2000+`year$t;1+(t-j)div 7}
-1 string iso each 2021.01.01 2020.12.31 2024.01.01 2023.01.01 2024.12.30 2026.11.21;
/ == calendar
cal:{[m]d:`date$m;n:(`date$m+1)-d;c:((d-2)mod 7)#enlist"  ";7 cut(c,-2$'string 1+til n)}
-1"Mo Tu We Th Fr Sa Su";
-1" "sv'cal 2024.02m;
/ == friday13
f:{d where(6=d mod 7)&13=`dd$d:x+til y}
-1 string f[2023.01.01;731];
/ == durations
-1 string 2024.03.01D12:00:00-2024.02.28D18:30:00;
-1 string`minute$2024.03.01D12:34:56;
-1 string 09:30+15*til 3;
-1 string 0D00:15 xbar 2024.01.01D10:07:00 2024.01.01D10:15:00;
-1 string(`hh$t;`uu$t;`ss$t:13:45:59);
-1 string"j"$(2024.01.01D0-1970.01.01D0)%1e9;
age:{[b;d]((`year$d)-`year$b)-(100 sv`mm`dd$\:d)<100 sv`mm`dd$\:b}
-1 string age[1990.06.15]each 2024.06.14 2024.06.15;
